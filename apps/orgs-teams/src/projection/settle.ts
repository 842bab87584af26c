import { randomUUID } from 'node:crypto';
import { fenceTuple } from '@platform/relations';
import type { Tuple } from '@platform/proto/authz/v1/decision';
import type { Database } from '@platform/postgres';
import type { OutgoingContext } from '@platform/rpc';
import { type Difference, differenceOf, readHeld } from './difference.ts';
import { type Engine, mostInOneWrite, readFence, writeStrictly } from './engine.ts';
import { rewriteIfLost } from './lost-store.ts';
import { parseUnit, shapeVersion } from './relations.ts';
import { takeSnapshot } from './snapshot.ts';
import { finish, readWaiting, type Waiting } from './waiting.ts';

/** The schema requires a shape of tuples that this process does not know: a newer version of the service settles. */
class ShapeTooNew extends Error {
  override readonly name = 'ShapeTooNew';
}

/** A Write also contains the old and the new fence. */
const changesInOneWrite = mostInOneWrite - 2;

/**
 * Runs steps S1 to S5 of authorization.md once, for some units of an organization. The fence is known before the rows
 * are read, and each Write moves the fence. So the rows behind a Write are at least as new as the rows behind every
 * earlier Write, and a late Write of a slow or dead process is refused. A fence that the previous settle noted is as
 * good as a fence that was read (S1): if it is still there at the Write, no process has written since. After a crash
 * the units are still pending, and repeating the steps changes nothing.
 *
 * @param waiting the units to settle, and the noted fence; if there is none, the fence is read from the engine
 * @returns the units that are pending afterwards
 * @throws Fault CONFLICT when the fence is no longer there: the caller must start again, without a noted fence
 */
export async function settleOnce(
  database: Database,
  engine: Engine,
  organizationId: number,
  { units: pending, fence: noted }: Waiting,
  call: OutgoingContext,
): Promise<Waiting> {
  const lost = (): Promise<void> => rewriteIfLost(database, engine, organizationId, call);
  const units = [...new Set(pending.map(({ unit }) => unit))].map(parseUnit);
  // With `all`, read the fence from the engine: if two fences were written at once, the note contains only one of them.
  const trusted = units.some(({ kind }) => kind === 'all') ? undefined : noted;
  const fence = trusted ?? await readFence(engine, organizationId, lost, call);
  const asked = { organizationId, units, pending: pending.map(({ id }) => id) };
  const [{ waits, structure, shape }, held] = await Promise.all([
    takeSnapshot(database, asked, call.deadline),
    readHeld(engine, organizationId, units, call),
  ]);
  if (shape > shapeVersion) throw new ShapeTooNew(`the tuples have shape ${shape}, but this process supports ${shapeVersion}`);
  // Another process has written the pending units, and moved the fence.
  if (!waits && structure.exists) return readWaiting(database, organizationId, call);
  const difference = await differenceOf(engine, organizationId, { units, structure, held }, call);
  const left = await writeDifference(engine, organizationId, fence, difference, structure.exists, call);
  return finish(database, organizationId, { written: pending, fence: structure.exists ? left : undefined }, call);
}

/**
 * Step S4: deletes surplus tuples first, then writes missing ones. Each Write moves the fence, even when there is no
 * difference. When the organization is gone, its fence is deleted too: ids are never reused, so no later Write needs
 * it.
 * @returns the fence that was written last
 */
async function writeDifference(
  engine: Engine,
  organizationId: number,
  fence: Tuple,
  { missing, surplus }: Difference,
  keepFence: boolean,
  call: OutgoingContext,
): Promise<Tuple> {
  const changes = [
    ...surplus.map((tuple) => ({ deletes: [tuple], writes: [] as Tuple[] })),
    ...missing.map((tuple) => ({ deletes: [] as Tuple[], writes: [tuple] })),
  ];
  let current = fence;
  for (let from = 0; from === 0 || from < changes.length; from += changesInOneWrite) {
    const part = changes.slice(from, from + changesInOneWrite);
    const isLast = from + changesInOneWrite >= changes.length;
    const next = fenceTuple(organizationId, randomUUID());
    await writeStrictly(
      engine,
      {
        deletes: [current, ...part.flatMap(({ deletes }) => deletes)],
        writes: [...(isLast && !keepFence ? [] : [next]), ...part.flatMap(({ writes }) => writes)],
      },
      call,
    );
    current = next;
  }
  return current;
}
