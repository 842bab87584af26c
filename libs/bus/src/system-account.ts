import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { jetstreamManager } from '@nats-io/jetstream';
import { readAccount } from './operator.ts';

/** A NATS server and credentials (the text of a `.creds` file) to use it with. */
export interface BusLogin {
  /** `nats://host:port`, several separated by commas. */
  readonly url: string;
  readonly credentials: string;
}

/**
 * Connects once, asks JetStream for the account and leaves.
 * @throws the client's error when the server does not answer, refuses the credentials or has no JetStream
 */
export async function probeJetstream(login: BusLogin, timeoutMilliseconds: number): Promise<void> {
  await using connection = await open(login, timeoutMilliseconds);
  const manager = await jetstreamManager(connection.client, { timeout: timeoutMilliseconds });
  await manager.getAccountInfo();
}

/**
 * Gives the servers a new JWT of an account (a new account, or another list of revocations). Connections of users that
 * it revokes are cut. Kept by the servers' resolver; repeatable.
 * @param login credentials of a user of the system account
 * @throws Error when no server takes it within the time
 */
export async function pushAccount(login: BusLogin, jwt: string, timeoutMilliseconds: number): Promise<void> {
  await using connection = await open(login, timeoutMilliseconds);
  const reply = await connection.client.request('$SYS.REQ.CLAIMS.UPDATE', jwt, { timeout: timeoutMilliseconds });
  const answer = reply.json<{ error?: { description: string } }>();
  if (answer.error !== undefined) {
    throw new Error(`The bus refused the account ${readAccount(jwt).publicKey}: ${answer.error.description}`);
  }
}

/**
 * The JWT the servers hold for an account; undefined when they hold none.
 * @param login credentials of a user of the system account
 */
export async function lookUpAccount(
  login: BusLogin,
  publicKey: string,
  timeoutMilliseconds: number,
): Promise<string | undefined> {
  await using connection = await open(login, timeoutMilliseconds);
  const subject = `$SYS.REQ.ACCOUNT.${publicKey}.CLAIMS.LOOKUP`;
  const reply = await connection.client.request(subject, '', { timeout: timeoutMilliseconds });
  return reply.string() || undefined;
}

async function open(
  { url, credentials }: BusLogin,
  timeout: number,
): Promise<AsyncDisposable & { client: NatsConnection }> {
  const client = await connect({
    servers: url.split(','),
    // The client knows the last line of credentials by its line break, which readers of secrets trim.
    authenticator: credsAuthenticator(new TextEncoder().encode(`${credentials.trim()}\n`)),
    reconnect: false,
    // A refused login is tried once more by the client, after this pause.
    reconnectTimeWait: 50,
    timeout,
  });
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
    },
  };
}
