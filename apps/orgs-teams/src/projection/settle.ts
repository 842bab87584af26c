import { randomUUID } from 'node:crypto';
import { fenceTuple } from '@platform/relations';
import type { Tuple } from '@platform/proto/authz/v1/decision';
import type { Database } from '@platform/postgres';
import type { OutgoingContext } from '@platform/rpc';
import { type Difference, differenceOf, readHeld } from './difference.ts';
import { type Engine, mostInOneWrite } from './engine.ts';
import { readFence } from './lost-store.ts';
import { parseUnit, shapeVersion } from './relations.ts';
import { takeSnapshot } from './snapshot.ts';
import { finish, readWaiting, type Waiting } from './waiting.ts';

/** The schema requires tuples of a newer version than this process writes. A newer replica must write them. */
class ShapeTooNew extends Error {
  override readonly name = 'ShapeTooNew';
}

/** Maximum number of tuples in a Write besides the old and the new fence. */
const changesInOneWrite = mostInOneWrite - 2;

/**
 * Runs steps S1 to S5 of authorization.md once, for some units of an organization. Reads the fence before the rows.
 * Each Write replaces the fence, so a Write that is based on older rows fails. With a stored fence, step S1 (reading
 * the fence from the engine) is usually skipped: if the stored fence is outdated, the Write fails. After a crash, the
 * units are still pending.
 *
 * @param waiting the units to write, and the stored fence. If there is no stored fence, or one of the units is `all`,
 *   the fence is read from the engine
 * @returns the units that are pending afterwards, and the stored fence
 * @throws Fault CONFLICT when the fence or the tuples in the engine have changed: the caller must start again without a
 *   stored fence; ShapeTooNew when the schema requires newer tuples
 */
export async function settleOnce(
  database: Database, engine: Engine, organizationId: number, { units: pending, fence: noted }: Waiting,
  call: OutgoingContext,
): Promise<Waiting> {
  const units = [...new Set(pending.map(({ unit }) => unit))].map(parseUnit);
  // If a unit is `all`, read the fence from the engine. The engine may have several fences, and `noted` is only one.
  const trusted = units.some(({ kind }) => kind === 'all') ? undefined : noted;
  const fence = trusted ?? await readFence(database, engine, organizationId, call);
  const [{ waits, structure, shape }, held] = await Promise.all([
    takeSnapshot(database, { organizationId, units, pending: pending.map(({ id }) => id) }, call.deadline),
    readHeld(engine, organizationId, units, call),
  ]);
  if (shape > shapeVersion) {
    throw new ShapeTooNew(
      'this process is too old for the database schema: '
        + `it writes tuples of version ${shapeVersion}, but the schema requires version ${shape}`,
    );
  }
  // Another process has already written these units, and has replaced the fence.
  if (!waits && structure.exists) return readWaiting(database, organizationId, call);
  const difference = await differenceOf(engine, organizationId, { units, structure, held }, call);
  const left = await writeDifference(engine, organizationId, fence, difference, structure.exists, call);
  return finish(database, organizationId, { written: pending, fence: structure.exists ? left : undefined }, call);
}

/**
 * Step S4 (authorization.md): deletes surplus tuples first, then writes missing tuples. Each Write replaces the fence.
 * One Write is sent even if no tuple is surplus or missing.
 * @param keepFence false if the organization was deleted; then the last Write deletes the fence without a new one
 * @returns the new fence; meaningless if `keepFence` is false
 */
async function writeDifference(
  engine: Engine, organizationId: number, fence: Tuple, { missing, surplus }: Difference, keepFence: boolean,
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
    await engine.writeTuples({
      deletes: [current, ...part.flatMap(({ deletes }) => deletes)],
      writes: [...(isLast && !keepFence ? [] : [next]), ...part.flatMap(({ writes }) => writes)],
    }, call);
    current = next;
  }
  return current;
}
