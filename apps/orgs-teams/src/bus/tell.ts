import {
  addExports, BusRefused, listAccounts, lookUpAccount, lookUpAccounts, platformExports, pushAccount, removeAccounts,
} from '@platform/bus';
import type { Database } from '@platform/postgres';
import { type Deadline, remaining, shrink, within } from '@platform/service';
import { accountJwt, accountLayout, closedAccountJwt, organizationOf, revisionOf } from './account-jwt.ts';
import type { BusOperator } from './bus-operator.ts';
import { endLease, forgetTold, noteTold, readBusAccount, readTold, takeLease } from './store.ts';
import { deleteRemovals, findUnknown, insertRemovals, readRemovals } from './removal-store.ts';

/** Time limit of one request to the NATS servers, in milliseconds. */
const exchangeMs = 2_000;
/** Time limit for pushing one account to the NATS servers, in milliseconds. */
const tellingMs = 4_000;
const accountsAtOnce = 200;

/** An exchange with the bus failed, usually because the bus cannot be reached. `cause` is the error. */
export class BusAway extends Error {
  override readonly name = 'BusAway';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Waits for an exchange with the bus. @throws BusRefused when the bus refuses, BusAway for every other failure */
export async function atBus<Result>(exchange: Promise<Result>): Promise<Result> {
  try {
    return await exchange;
  } catch (error) {
    throw error instanceof BusRefused ? error : new BusAway(error);
  }
}

interface TellParts {
  readonly database: Database;
  readonly operator: BusOperator;
}

/**
 * Pushes an organization's account to the NATS servers, as the database defines the account now. Does nothing if the
 * servers have its latest revision, if another call has the lease, or if the organization has no account. A push that
 * arrives late may replace a newer revision at the servers. {@link verifyTold} detects this.
 * @throws BusRefused, BusAway
 */
export async function tellServers(
  { database, operator }: TellParts, organizationId: number, deadline: Deadline,
): Promise<void> {
  const lease = await takeLease(database, organizationId, deadline);
  if (lease === undefined) return;
  try {
    const account = await readBusAccount(database, organizationId);
    if (account === undefined || account.told) return;
    const jwt = await accountJwt(operator, organizationId, account);
    const push = pushAccount(operator.login, jwt, patience(deadline));
    await atBus(within(shrink(deadline, tellingMs), push, 'the message bus'));
    await noteTold(database, { ...lease, organizationId, revision: account.revision, layout: accountLayout(operator) });
  } finally {
    await endLease(database, organizationId, lease.lease);
  }
}

/**
 * Deletes the accounts in the deletion queue from the servers of the bus, at most {@link accountsAtOnce} accounts.
 * Several replicas may call this at the same time.
 * @returns whether the queue may contain more accounts
 */
export async function removeForgotten({ database, operator }: TellParts, deadline: Deadline): Promise<boolean> {
  const publicKeys = await readRemovals(database, accountsAtOnce, deadline);
  if (publicKeys.length === 0) return false;
  const known = await atBus(lookUpAccounts(operator.login, publicKeys, patience(deadline)));
  for (const publicKey of known.keys()) {
    const closed = await closedAccountJwt(operator, publicKey);
    await atBus(pushAccount(operator.login, closed, patience(deadline)));
  }
  await atBus(removeAccounts(operator.login, operator.operatorSeed, publicKeys, patience(deadline)));
  await deleteRemovals(database, publicKeys, deadline);
  return publicKeys.length === accountsAtOnce;
}

/**
 * Finds accounts of this platform that the servers have and the database lacks, and queues them for deletion. They can
 * exist after the database was restored from a backup. Without the deletion, their credentials would stay valid.
 * @returns the number of queued accounts
 * @throws BusRefused, BusAway
 */
export async function forgetUnknown({ database, operator }: TellParts, deadline: Deadline): Promise<number> {
  // Ask the servers before the database. In the other order, an account that is added in between would seem unknown.
  const held = await atBus(listAccounts(operator.login, patience(deadline)));
  const unknown = await findUnknown(database, held, deadline);
  const removals: { publicKey: string; organizationId: number }[] = [];
  for (let from = 0; from < unknown.length; from += accountsAtOnce) {
    const page = unknown.slice(from, from + accountsAtOnce);
    for (const [publicKey, jwt] of await atBus(lookUpAccounts(operator.login, page, patience(deadline)))) {
      const organizationId = organizationOf(operator, jwt);
      if (organizationId !== undefined) removals.push({ publicKey, organizationId });
    }
  }
  await insertRemovals(database, removals, deadline);
  return removals.length;
}

/**
 * Adds the exports that organizations import to the platform's own account, unless the account has them. Replaces
 * outdated versions of these exports. Does not change other properties of the account.
 */
export async function offerToOrganizations({ operator }: TellParts, deadline: Deadline): Promise<void> {
  const { login, operatorSeed, exporter } = operator;
  const held = await lookUpAccount(login, exporter.publicKey, patience(deadline));
  if (held === undefined) throw new Error(`The bus lacks the platform's own account ${exporter.publicKey}.`);
  const extended = await addExports(operatorSeed, exporter.publicKey, held, platformExports);
  if (extended !== undefined) await pushAccount(login, extended, patience(deadline));
}

/**
 * Returns the revisions of account JWTs on the NATS servers, by public key. Leaves out accounts that the servers lack.
 * A revision is undefined if the JWT contains none.
 */
async function lookUpRevisions(
  { login }: BusOperator, publicKeys: readonly string[], deadline: Deadline,
): Promise<ReadonlyMap<string, number | undefined>> {
  const held = await lookUpAccounts(login, publicKeys, patience(deadline));
  return new Map([...held].map(([publicKey, jwt]) => [publicKey, revisionOf(jwt)]));
}

/**
 * Checks accounts whose latest revision was pushed. Marks an account for another push if the servers have another
 * revision or no account. The servers may have lost their state, or may have received an older push late.
 * @param lately whether to check only accounts that were pushed in the last two minutes
 */
export async function verifyTold(
  { database, operator }: TellParts, lately: boolean, deadline: Deadline,
): Promise<void> {
  for (let after = 0; ;) {
    const page = await readTold(database, { after, lately, most: accountsAtOnce }, deadline);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.organizationId;
    const held = await atBus(lookUpRevisions(operator, page.map(({ publicKey }) => publicKey), deadline));
    const differing = page.filter(({ publicKey, revision }) => held.get(publicKey) !== revision);
    if (differing.length > 0) await forgetTold(database, differing.map(({ organizationId }) => organizationId));
  }
}

function patience(deadline: Deadline): number {
  return Math.max(1, Math.min(exchangeMs, remaining(deadline)));
}
