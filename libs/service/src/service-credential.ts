/** The header and metadata by which a server of ours shows that it is one, where no certificate does. */
export const serviceCredentialHeader = 'platform-service-credential';
