/** Header and metadata key of a service credential, or of the credential of the operator. */
export const serviceCredentialHeader = 'platform-service-credential';
