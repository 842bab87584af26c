import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { type Authenticator, connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { keysOfSeed } from './keys.ts';

/** A NATS server, and the credentials for it (the text of a `.creds` file). */
export interface BusLogin {
  /** `nats://host:port`, several separated by commas. */
  readonly url: string;
  readonly credentials: string;
  /** Prefix of the subjects for answers; default `_INBOX`. The prefix of a service is `inboxPrefixOf(name)`. */
  readonly inboxPrefix?: string;
}

/** Interval of pings, in milliseconds. A server that does not answer two or three pings counts as lost. */
const pingMs = 1_000;

interface Attempt {
  readonly sockets: Socket[];
  /**
   * Whether the attempt has ended. Later sockets are not noted, because callbacks of the connection still belong to the
   * attempt that made it.
   */
  over: boolean;
}

/**
 * The NATS client gives up a server that accepts no connection, or that accepts one but sends no greeting. The client
 * does not close the socket of this server. So each socket is noted with the attempt that opens it. At the end of the
 * attempt, all sockets are closed except the socket in use.
 */
const attempts = new AsyncLocalStorage<Attempt>();
subscribe('net.client.socket', (message) => {
  const attempt = attempts.getStore();
  if (attempt?.over === false) attempt.sockets.push((message as { socket: Socket }).socket);
});

/**
 * Connects once. A lost connection is not restored.
 * @throws the client's error if no server answers within the time, or if they refuse the credentials
 */
export async function dial(
  { url, credentials, inboxPrefix }: BusLogin,
  timeoutMilliseconds: number,
): Promise<NatsConnection> {
  const attempt: Attempt = { sockets: [], over: false };
  try {
    const client = await attempts.run(attempt, () => connect({
      ...serversOf(url),
      authenticator: authenticatorOf(credentials),
      ...(inboxPrefix === undefined ? {} : { inboxPrefix }),
      reconnect: false,
      // The client repeats a refused login once, after this pause.
      reconnectTimeWait: 50,
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

/**
 * Returns the servers of `nats.url` in the form that the client needs. With `tls://`, only TLS connections are
 * accepted; by default, the client would use whatever the server offers. The trusted authorities are those of Node
 * (`NODE_EXTRA_CA_CERTS` adds some).
 */
function serversOf(url: string): Pick<NodeConnectionOptions, 'servers' | 'tls'> {
  const servers = url.split(',');
  return servers.some((server) => server.startsWith('tls://')) ? { servers, tls: {} } : { servers };
}

/** Signs in with the text of a `.creds` file. @throws Error when the text holds no credentials */
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
