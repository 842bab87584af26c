import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { type Authenticator, connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { keysOfSeed } from './keys.ts';

/** A NATS server and credentials (the text of a `.creds` file) to use it with. */
export interface BusLogin {
  /** `nats://host:port`, several separated by commas. */
  readonly url: string;
  readonly credentials: string;
  /** Prefix of the subjects for answers; default `_INBOX`. For a service it is `inboxPrefixOf` its name. */
  readonly inboxPrefix?: string;
}

/** Interval of pings, in milliseconds. A server that leaves two or three unanswered counts as lost. */
const pingMs = 1_000;

interface Attempt {
  readonly sockets: Socket[];
  /** From then on its sockets are not noted: callbacks of the connection go on under the attempt that made it. */
  over: boolean;
}

/**
 * A server that takes a connection and never greets, or takes none, is given up by the client, its socket is not: so
 * each socket is noted under the attempt that opens it, and all but the one that comes to be used end with the attempt.
 */
const attempts = new AsyncLocalStorage<Attempt>();
subscribe('net.client.socket', (message) => {
  const attempt = attempts.getStore();
  if (attempt?.over === false) attempt.sockets.push((message as { socket: Socket }).socket);
});

/**
 * Connects once; a connection that is lost stays lost.
 * @throws the client's error when no server answers within the time, or they refuse the credentials
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
    // Servers are tried one after the other: the last one is it.
    attempt.sockets.pop();
    return client;
  } finally {
    attempt.over = true;
    for (const socket of attempt.sockets.splice(0)) socket.destroy();
  }
}

/**
 * The servers of `nats.url`, as the client wants them. Under `tls://` only a connection in TLS will do; by itself the
 * client would take what the server says it offers. Authorities: those of Node (`NODE_EXTRA_CA_CERTS` adds some).
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
