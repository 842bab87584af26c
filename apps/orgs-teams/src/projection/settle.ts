import { randomUUID } from 'node:crypto';
import { fenceTuple } from '@platform/relations';
import type { Tuple } from '@platform/proto/authz/v1/decision';
import type { Database } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { OutgoingContext } from '@platform/rpc';
import { type Difference, readDifference } from './difference.ts';
import { type Engine, mostInOneWrite, readFence, writeStrictly } from './engine.ts';
import { rewriteIfLost } from './lost-store.ts';
import { shapeVersion } from './relations.ts';
import { type PendingUnit, type Pick, takeSnapshot } from './snapshot.ts';

/** The schema asks for tuples in a shape this process does not know: another version of the service settles. */
class ShapeTooNew extends Error {
  override readonly name = 'ShapeTooNew';
}

/** So many units are settled together; the rest follows. */
const unitsAtOnce = 40;
/** A Write holds the old and the new fence besides. */
const changesInOneWrite = mostInOneWrite - 2;

/**
 * Steps S1 to S5 of authorization.md, once, for the oldest units of an organization or for one of them. The order is
 * what makes it right: the fence is read before the rows, and each Write moves it. So what is written follows from rows
 * at least as new as those of every Write before it, and a late Write of a slow or dead process is refused.
 * A crash anywhere leaves the units, and doing it again changes nothing.
 *
 * @returns the units that were written
 * @throws Fault CONFLICT when another settle was quicker: start again
 */
export async function settleOnce(
  database: Database,
  engine: Engine,
  organizationId: number,
  call: OutgoingContext,
  pick: Pick = { oldest: unitsAtOnce },
): Promise<readonly PendingUnit[]> {
  const lost = (): Promise<void> => rewriteIfLost(database, engine, organizationId, call);
  const fence = await readFence(engine, organizationId, lost, call);
  const { pending, units, structure, shape } = await takeSnapshot(database, organizationId, pick, call.deadline);
  if (shape > shapeVersion) throw new ShapeTooNew(`the tuples have shape ${shape}, this process knows ${shapeVersion}`);
  // What was pending has been written by somebody else, who moved the fence.
  if (pending.length === 0 && structure.exists) return pending;
  const difference = await readDifference(engine, organizationId, units, structure, call);
  await writeDifference(engine, organizationId, fence, difference, structure.exists, call);
  await database.execute(
    sql`delete from projection_pending where id = any (${pending.map(({ id }) => id)}::bigint[])`,
    { deadline: call.deadline },
  );
  return pending;
}

/**
 * Step S4: what is too much goes first, what is missing follows; the fence moves with each Write, also when nothing
 * differs. With an organization that is gone its fence goes too: ids are never used again, so nothing else will come.
 */
async function writeDifference(
  engine: Engine,
  organizationId: number,
  fence: Tuple,
  { missing, surplus }: Difference,
  keepFence: boolean,
  call: OutgoingContext,
): Promise<void> {
  const changes = [
    ...surplus.map((tuple) => ({ deletes: [tuple], writes: [] as Tuple[] })),
    ...missing.map((tuple) => ({ deletes: [] as Tuple[], writes: [tuple] })),
  ];
  let current = fence;
  for (let from = 0; from === 0 || from < changes.length; from += changesInOneWrite) {
    const part = changes.slice(from, from + changesInOneWrite);
    const last = from + changesInOneWrite >= changes.length;
    const next = last && !keepFence ? undefined : fenceTuple(organizationId, randomUUID());
    await writeStrictly(
      engine,
      {
        deletes: [current, ...part.flatMap(({ deletes }) => deletes)],
        writes: [...(next === undefined ? [] : [next]), ...part.flatMap(({ writes }) => writes)],
      },
      call,
    );
    if (next !== undefined) current = next;
  }
}
