/** Requests to the servers of the bus (NATS). They need the login of a user in the NATS system account. */
import type { NatsConnection } from '@nats-io/transport-node';
import { withSpan } from '@platform/service';
import { type BusLogin, withClient } from './dial.ts';
import { signRemoval } from './operator.ts';

/**
 * Sends the JWT of an account to the servers, for example for a new account or new revocations. The servers store the
 * JWT. They cut the connections of users whom the JWT revokes. May be repeated.
 * @throws BusRefused if a server refuses the JWT; Error if not every server of the cluster confirms in time
 */
export async function pushAccount(login: BusLogin, jwt: string, timeoutMilliseconds: number): Promise<void> {
  await requestServers('push account', login, '$SYS.REQ.CLAIMS.UPDATE', jwt, timeoutMilliseconds);
}

/**
 * Removes accounts from the servers. The servers cut the connections of the accounts' users. They no longer admit these
 * users. May be repeated. Unknown accounts are not an error.
 * @throws BusRefused if a server does not permit the removal; Error if not every server of the cluster confirms in time
 */
export async function removeAccounts(
  login: BusLogin, operatorSeed: string, publicKeys: readonly string[], timeoutMilliseconds: number,
): Promise<void> {
  const order = await signRemoval(operatorSeed, publicKeys);
  await requestServers('remove accounts', login, '$SYS.REQ.CLAIMS.DELETE', order, timeoutMilliseconds);
}

/** Returns the JWT that the servers have for an account; undefined if they have none. */
export async function lookUpAccount(
  login: BusLogin, publicKey: string, timeoutMilliseconds: number,
): Promise<string | undefined> {
  return (await lookUpAccounts(login, [publicKey], timeoutMilliseconds)).get(publicKey);
}

/** Returns the JWTs of accounts by public key. Accounts that the servers do not know are left out. */
export async function lookUpAccounts(
  login: BusLogin, publicKeys: readonly string[], timeoutMilliseconds: number,
): Promise<ReadonlyMap<string, string>> {
  return exchange('look up accounts', login, timeoutMilliseconds, async (client) => {
    const held = await Promise.all(publicKeys.map(async (publicKey) => {
      const subject = `$SYS.REQ.ACCOUNT.${publicKey}.CLAIMS.LOOKUP`;
      const reply = await client.request(subject, '', { timeout: timeoutMilliseconds });
      return [publicKey, reply.string()] as const;
    }));
    return new Map(held.filter(([, jwt]) => jwt !== ''));
  });
}

/**
 * Returns the public keys of all accounts on any of the servers, including accounts that the platform did not create.
 * @throws BusRefused if a server refuses; Error for any other failure, such as a missing answer
 */
export async function listAccounts(login: BusLogin, timeoutMilliseconds: number): Promise<readonly string[]> {
  return exchange('list accounts', login, timeoutMilliseconds, async (client) => {
    const answers = await askServers(client, '$SYS.REQ.CLAIMS.LIST', '', timeoutMilliseconds);
    const held = answers.flatMap(({ data }) => {
      if (!Array.isArray(data)) throw new Error('A bus server did not return a list of accounts.');
      return data.map(String);
    });
    return [...new Set(held)];
  });
}

/** A server refused the request. Usually, a retry does not help. */
export class BusRefused extends Error {
  override readonly name = 'BusRefused';

  constructor(server: string, why: string) {
    super(`The bus server ${server} refused the request: ${why}`);
  }
}

/** The answer of one server. Every field may be missing or invalid. */
interface ServerAnswer {
  readonly server?: { readonly name?: string };
  readonly data?: unknown;
  readonly error?: { readonly description?: string };
}

/** Sends a request to every server. Throws unless every server confirms the request with code 200. */
async function requestServers(
  name: string, login: BusLogin, subject: string, order: string, timeout: number,
): Promise<void> {
  await exchange(name, login, timeout, async (client) => {
    for (const { data } of await askServers(client, subject, order, timeout)) {
      const code = (data as { readonly code?: number } | undefined)?.code;
      if (code !== 200) throw new Error('A bus server neither confirmed nor refused the request.');
    }
  });
}

/**
 * Sends a request to every server of the cluster, and returns the answers.
 * @throws BusRefused if a server refuses; Error if not every server answers in time, or if an answer is invalid
 */
async function askServers(
  client: NatsConnection, subject: string, text: string, timeout: number,
): Promise<readonly ServerAnswer[]> {
  const status = await client.request('$SYS.REQ.SERVER.PING', '', { timeout });
  const { statsz } = status.json<{ statsz: { active_servers?: number } }>();
  const servers = statsz.active_servers ?? 1;
  if (!Number.isSafeInteger(servers) || servers < 1) {
    throw new Error(`A bus server reported an invalid number of servers: ${servers}`);
  }
  const wanted = { strategy: 'count', maxMessages: servers, maxWait: timeout } as const;
  const answers: ServerAnswer[] = [];
  for await (const reply of await client.requestMany(subject, text, wanted)) {
    const answer = reply.json<ServerAnswer>();
    const { server, error } = answer;
    if (error !== undefined) throw new BusRefused(String(server?.name), String(error.description));
    answers.push(answer);
  }
  if (answers.length < servers) {
    throw new Error(`Only ${answers.length} of ${servers} bus servers answered within ${timeout} ms.`);
  }
  return answers;
}

/** Does the work on a new connection, within one trace span. */
function exchange<Result>(
  name: string, login: BusLogin, timeout: number, work: (client: NatsConnection) => Promise<Result>,
): Promise<Result> {
  const attributes = { 'messaging.system': 'nats' };
  return withSpan(`NATS ${name}`, { kind: 'client', attributes }, () => withClient(login, timeout, work));
}
