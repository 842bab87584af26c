/** Name of the HTTP header and gRPC metadata that contain the credential of a service or of the operator. */
export const serviceCredentialHeader = 'platform-service-credential';
