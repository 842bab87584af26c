import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { type Authenticator, connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { keysOfSeed } from './keys.ts';

export interface BusLogin {
  /** `nats://host:port` or `tls://host:port`. Several addresses are separated by commas. */
  readonly url: string;
  /** The text of a `.creds` file. Secret. */
  readonly credentials: string;
  /** Prefix of the subjects for answers; default `_INBOX`. The prefix of a service is `inboxPrefixOf(name)`. */
  readonly inboxPrefix?: string;
}

/** Interval of pings, in milliseconds. If two pings are not answered, the NATS client ends the connection. */
const pingMs = 1_000;

/**
 * The sockets of each current attempt to connect. The NATS client may leave a socket open when it gives up a server. So
 * `dial` closes all sockets of the attempt at the end, except the socket in use.
 */
const attempts = new AsyncLocalStorage<{ readonly sockets: Socket[]; over: boolean }>();
subscribe('net.client.socket', (message) => {
  const attempt = attempts.getStore();
  if (attempt?.over === false) attempt.sockets.push((message as { socket: Socket }).socket);
});

/**
 * Connects once. A lost connection is not restored.
 * @param timeoutMilliseconds time limit for each address of a server
 * @throws Error if no server answers in time, or the credentials are invalid or refused
 */
export async function dial(
  { url, credentials, inboxPrefix }: BusLogin, timeoutMilliseconds: number,
): Promise<NatsConnection> {
  const attempt = { sockets: [] as Socket[], over: false };
  try {
    const client = await attempts.run(attempt, () => connect({
      ...serversOf(url),
      authenticator: authenticatorOf(credentials),
      ...(inboxPrefix === undefined ? {} : { inboxPrefix }),
      reconnect: false,
      timeout: timeoutMilliseconds,
      pingInterval: pingMs,
    }));
    // Servers are tried one after the other, so the last socket is the socket in use.
    attempt.sockets.pop();
    return client;
  } finally {
    attempt.over = true;
    for (const socket of attempt.sockets.splice(0)) socket.destroy();
  }
}

/** Connects, does the work, and closes the connection. @throws the errors of {@link dial} and of `work` */
export async function withClient<Result>(
  login: BusLogin, timeoutMs: number, work: (client: NatsConnection) => Promise<Result>,
): Promise<Result> {
  const client = await dial(login, timeoutMs);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/**
 * Returns the connection options for the addresses in `url`. If any address has the scheme `tls://`, the client uses
 * only TLS, with every server. Otherwise, the client also accepts unencrypted connections. The client trusts the
 * certificate authorities that Node trusts (`NODE_EXTRA_CA_CERTS` adds more).
 */
function serversOf(url: string): Pick<NodeConnectionOptions, 'servers' | 'tls'> {
  const servers = url.split(',');
  return servers.some((server) => server.startsWith('tls://')) ? { servers, tls: {} } : { servers };
}

/** Returns an authenticator for the credentials in a `.creds` file. @throws Error if the credentials are invalid */
function authenticatorOf(credentials: string): Authenticator {
  const [, jwt] = /BEGIN NATS USER JWT-+\s+(\S+)/.exec(credentials) ?? [];
  const [, seed] = /BEGIN USER NKEY SEED-+\s+(\S+)/.exec(credentials) ?? [];
  if (jwt === undefined || seed === undefined) throw new Error('Not a valid .creds file.');
  const keys = keysOfSeed(seed);
  return (nonce) => {
    const signature = keys.sign(new TextEncoder().encode(nonce ?? ''));
    return { jwt, nkey: keys.getPublicKey(), sig: Buffer.from(signature).toString('base64url') };
  };
}
