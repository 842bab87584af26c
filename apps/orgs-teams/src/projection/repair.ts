import type { RepairDriftResponse } from '@platform/proto/orgs/v1/admin';
import type { Tuple } from '@platform/proto/authz/v1/decision';
import type { OutgoingContext } from '@platform/rpc';
import { remaining, shrink } from '@platform/service';
import type { DriftParts } from './drift.ts';
import { type Engine, isLostRace, readTuples } from './engine.ts';
import { findOrphans } from './orphans.ts';
import { moveBehind } from './sequences.ts';
import { noteHighest, type Sequence, storePages } from './store-pages.ts';
import { noteEverything } from '@platform/leases';
import { organizationPages, rewriteAll } from './store.ts';

/**
 * Number of organizations whose tuples one transaction marks to be written again. It is small, because other writes
 * wait for the transaction.
 */
const organizationsAtOnce = 50;
const settlesAtOnce = 4;

/**
 * Repairs the tuples in the engine (authorization.md, repair). Removes tuples whose object has no row. Advances
 * sequences that would issue a used id. Marks the tuples of every organization to be written again, and settles the
 * organizations until the deadline is near. Can run while the platform is in use.
 */
export async function repairDrift(
  parts: DriftParts, call: OutgoingContext,
): Promise<Omit<RepairDriftResponse, 'busAccountsUnknown' | 'busTrouble'>> {
  const { database, engine } = parts;
  const highest = new Map<Sequence, number>();
  let tuplesRead = 0;
  let tuplesRemoved = 0;
  for await (const page of storePages(engine, call)) {
    tuplesRead += page.length;
    page.forEach((tuple) => noteHighest(highest, tuple));
    tuplesRemoved += await remove(engine, await findOrphans(database, page, call.deadline), call);
  }
  const sequencesMoved = await database.transact(async (transaction) => {
    // Make all services drop the standings that they keep in memory. If rows were restored from a backup, these
    // standings may be wrong (leases.md L8).
    await noteEverything(transaction);
    return moveBehind(transaction, highest);
  }, { deadline: call.deadline });

  const organizationIds: number[] = [];
  for await (const ids of organizationPages(database, organizationsAtOnce, call)) {
    await database.transact((transaction) => rewriteAll(transaction, ids), { deadline: call.deadline });
    organizationIds.push(...ids);
  }
  const organizationsPending = await settleAll(parts, organizationIds, call);
  const organizationsWritten = organizationIds.length - organizationsPending.length;
  return { tuplesRead, tuplesRemoved, organizationsWritten, sequencesMoved, organizationsPending };
}

/**
 * Settles organizations: writes the tuples of their pending changes to the engine. Stops when the deadline is near.
 * Returns the ids of the organizations that were not settled, ascending.
 */
async function settleAll({ projection }: DriftParts, ids: readonly number[], call: OutgoingContext): Promise<number[]> {
  const patience = shrink(call.deadline);
  const waiting = [...ids];
  const pending: number[] = [];
  await Promise.all(Array.from({ length: settlesAtOnce }, async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      if (remaining(patience) === 0 || !(await projection.settle(id, patience))) pending.push(id);
    }
  }));
  return pending.sort((one, other) => one - other);
}

/** Removes tuples, also while other processes remove some of them. Returns how many this call has removed. */
async function remove(engine: Engine, tuples: readonly Tuple[], call: OutgoingContext): Promise<number> {
  if (tuples.length === 0) return 0;
  try {
    await engine.writeTuples({ deletes: [...tuples], writes: [] }, call);
    return tuples.length;
  } catch (error) {
    if (!isLostRace(error)) throw error;
    // A Write fails as a whole if another process has removed one of its tuples. So read which tuples still exist.
    // Remove the first of them alone, so that fewer tuples remain for the next Write.
    const [first, ...others] = await readTuples(engine, tuples, call);
    if (first === undefined) return 0;
    return (await remove(engine, [first], call)) + (await remove(engine, others, call));
  }
}
