import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createServer, type PeerCertificate, type TlsOptions, TLSSocket } from 'node:tls';
import {
  type ChannelCredentials, credentials, experimental, type Server, ServerCredentials, type ServerUnaryCall,
} from '@grpc/grpc-js';
import { type Logger, parseAddress } from '@platform/service';
import { identityOf, type PeerIdentity, type TlsMaterial, type WatchedTls } from '@platform/tls';

/** The oldest TLS version that a gRPC server accepts. */
const minVersion = 'TLSv1.3';
/** Time limit for a client's TLS handshake, in milliseconds. */
const handshakeTimeout = 10_000;

/**
 * Returns credentials for calls to a service: mutual TLS, or plain text if `tls` is undefined. The certificate of the
 * server must name `service`. The host name is not checked.
 */
export function channelCredentialsTo(service: string, tls: WatchedTls | undefined): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure();
  const provider = providerOf(tls);
  return experimental.createCertificateProviderChannelCredentials(provider, provider, {
    checkServerIdentity: (_host, certificate) => {
      const identity = identityOf(certificate.subjectaltname);
      if (identity?.role === 'service' && identity.name === service) return undefined;
      const named = identity === undefined ? 'no identity of the platform' : `${identity.role} ${identity.name}`;
      return new Error(`the certificate of the server must name service ${service}, but names ${named}`);
    },
  });
}

/** Returns a provider that gives each new connection the certificates that were read last. */
function providerOf(tls: WatchedTls): experimental.CertificateProvider {
  const authorities = new Set<experimental.CaCertificateUpdateListener>();
  const identities = new Set<experimental.IdentityCertificateUpdateListener>();
  const authorityOf = ({ ca }: TlsMaterial) => (ca === undefined ? null : { caCertificate: ca });
  const identityIn = ({ certificate, key }: TlsMaterial) => ({ certificate, privateKey: key });
  tls.onChange((material) => {
    for (const listener of authorities) listener(authorityOf(material));
    for (const listener of identities) listener(identityIn(material));
  });
  return {
    addCaCertificateListener: (listener) => {
      authorities.add(listener);
      process.nextTick(() => listener(authorityOf(tls.current)));
    },
    removeCaCertificateListener: (listener) => void authorities.delete(listener),
    addIdentityCertificateListener: (listener) => {
      identities.add(listener);
      process.nextTick(() => listener(identityIn(tls.current)));
    },
    removeIdentityCertificateListener: (listener) => void identities.delete(listener),
  };
}

interface BoundPort {
  readonly port: number;
  close(): void;
}

/**
 * Makes the server listen at `host:port`; port 0 chooses a free port. With TLS, a client needs a trusted certificate
 * with an identity of the platform.
 * @throws Error if the server cannot listen there
 */
export async function bind(
  server: Server, listen: string, tls: WatchedTls | undefined, log: Logger,
): Promise<BoundPort> {
  try {
    return await (tls === undefined ? bindPlain(server, listen) : bindTls(server, listen, tls, log));
  } catch (error) {
    throw new Error(`cannot listen on ${listen}: ${(error as Error).message}`, { cause: error });
  }
}

function bindPlain(server: Server, listen: string): Promise<BoundPort> {
  return new Promise((resolve, reject) => {
    server.bindAsync(listen, ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve({ port, close: () => undefined }));
  });
}

/** Handles TLS in place of grpc-js, because grpc-js does not report why a handshake failed. */
async function bindTls(server: Server, listen: string, tls: WatchedTls, log: Logger): Promise<BoundPort> {
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer({
    ...contextOf(tls.current), minVersion, handshakeTimeout, ALPNProtocols: ['h2'], requestCert: true,
    // The certificate is checked below, because Node would close the connection without logging a reason.
    rejectUnauthorized: false,
  });
  tls.onChange((material) => listener.setSecureContext({ ...contextOf(material), minVersion }));
  listener.on('secureConnection', (socket) => {
    socket.on('error', () => undefined);
    const refusal = refusalOf(socket);
    if (refusal !== undefined) {
      log.warn({ peer: addressOf(socket), why: refusal }, 'a connection was refused');
      socket.destroy();
      return;
    }
    // Keep the parsed certificate. Otherwise, Node would parse it for each call.
    const certificate = socket.getPeerCertificate();
    socket.getPeerCertificate = (() => certificate) as TLSSocket['getPeerCertificate'];
    injector.injectConnection(socket);
  });
  listener.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    // Do not log clients that close the connection during the handshake, such as probes.
    if (error.code === 'ECONNRESET') return;
    log.warn({ peer: addressOf(socket), why: handshakeProblem(error) }, 'a connection was refused');
  });
  const { host, port } = parseAddress(listen);
  await once(listener.listen({ host, port }), 'listening');
  const bound = listener.address();
  return { port: typeof bound === 'object' && bound !== null ? bound.port : port, close: () => void listener.close() };
}

function contextOf({ ca, certificate, key }: TlsMaterial): Pick<TlsOptions, 'ca' | 'cert' | 'key'> {
  return { ...(ca === undefined ? {} : { ca }), cert: certificate, key };
}

function refusalOf(socket: TLSSocket): string | undefined {
  const certificate = socket.getPeerCertificate();
  if (Object.keys(certificate).length === 0) return 'the client has no certificate';
  if (!socket.authorized) return `the client's certificate is not accepted: ${String(socket.authorizationError)}`;
  if (identityOf(certificate.subjectaltname) !== undefined) return undefined;
  return 'the client\'s certificate must name its holder in exactly one URI, such as spiffe://platform/service/authz';
}

/** Error codes of OpenSSL that usually mean that the client does not use TLS. */
const plainText: ReadonlySet<string> = new Set([
  'ERR_SSL_HTTP_REQUEST', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_WRONG_VERSION_NUMBER',
]);

function handshakeProblem({ code = 'unknown', message }: NodeJS.ErrnoException): string {
  if (plainText.has(code)) return `the client does not speak TLS (${code})`;
  return `the handshake failed: ${code === 'unknown' ? message : code}`;
}

const identities = new WeakMap<PeerCertificate, PeerIdentity>();

/** A call of any kind, as grpc-js passes it to a handler. */
export type Arrived = Pick<ServerUnaryCall<unknown, unknown>, 'metadata' | 'getAuthContext' | 'getPeer'>;

/** The identity in the certificate of a call's connection; undefined on plain-text connections. */
export function certificateOf(call: Arrived): PeerIdentity | undefined {
  const { sslPeerCertificate: certificate } = call.getAuthContext();
  return certificate && knownIdentity(certificate);
}

/** Like {@link certificateOf}, for the socket of an HTTP/2 session. */
export function certificateOn(socket: Socket | TLSSocket): PeerIdentity | undefined {
  return socket instanceof TLSSocket ? knownIdentity(socket.getPeerCertificate()) : undefined;
}

function knownIdentity(certificate: PeerCertificate): PeerIdentity {
  // `bindTls` refuses certificates without an identity.
  const identity = identities.get(certificate) ?? identityOf(certificate.subjectaltname)!;
  identities.set(certificate, identity);
  return identity;
}

function addressOf({ remoteAddress = '?', remotePort = 0 }: Pick<TLSSocket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress}:${remotePort}`;
}
