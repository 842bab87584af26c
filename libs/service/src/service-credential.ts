/** Header and metadata key of the service credential, which identifies services on connections without certificates. */
export const serviceCredentialHeader = 'platform-service-credential';
