/** The header and metadata key with which a server of the platform identifies itself where no certificate does. */
export const serviceCredentialHeader = 'platform-service-credential';
