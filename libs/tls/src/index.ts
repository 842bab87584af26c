/** TLS: identities in certificates, certificates that are reloaded from files, and a certificate authority. */
export { type Authority, type CertificateRequest, type IssuedFiles, openAuthority } from './authority.ts';
export { identityOf, identityUri, type PeerIdentity, type PeerRole } from './identity.ts';
export { grpcTlsPicks, httpTlsPicks, openGrpcTls, openHttpTls, readGrpcTls } from './open-tls.ts';
export { readTlsOnce, type TlsFiles, type TlsMaterial, TlsRefused, watchTls, type WatchedTls } from './watched-tls.ts';
