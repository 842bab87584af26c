/** TLS: who a certificate names, certificates read from files and read again when they change, and an authority. */
export { type Authority, type CertificateRequest, type IssuedFiles, openAuthority } from './authority.ts';
export { identityOf, identityUri, type PeerIdentity, type PeerRole } from './identity.ts';
export { grpcTlsPicks, httpTlsPicks, openGrpcTls, openHttpTls, readGrpcTls } from './open-tls.ts';
export { readTlsOnce, type TlsFiles, type TlsMaterial, TlsRefused, watchTls, type WatchedTls } from './watched-tls.ts';
