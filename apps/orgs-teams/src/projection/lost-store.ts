import { type Database, sql } from '@platform/postgres';
import type { OutgoingContext } from '@platform/rpc';
import { type Engine, readTuples } from './engine.ts';
import { fenceFilter } from './relations.ts';
import { rewriteAll } from './store.ts';

/**
 * Called when the engine had no fence tuple of an organization. If the engine has lost the tuples of the organization,
 * marks all of them to be written again, under new revisions. Of many concurrent callers, the first does this. If all
 * tuples are already marked to be written, the organization is new or is being written again, and is not lost.
 */
export async function rewriteIfLost(
  database: Database, engine: Engine, organizationId: number, call: OutgoingContext,
): Promise<void> {
  if (await waitsAsAWhole(database, organizationId, call)) return;
  // Read the fence after the pending rows, because a process writes the fence before it removes the pending rows.
  if ((await readTuples(engine, [fenceFilter(organizationId)], call)).length > 0) return;
  const added = await database.transact((work) => rewriteAll(work, [organizationId]), { deadline: call.deadline });
  if (added > 0) call.log?.error({ organizationId }, 'the engine has lost an organization; writing it again');
}

async function waitsAsAWhole(database: Database, organizationId: number, call: OutgoingContext): Promise<boolean> {
  const { waits } = await database.one(sql<{ waits: boolean }>`
    select exists (
             select from projection_pending where organization_id = ${organizationId} and unit = 'all'
           ) as "waits"`, { deadline: call.deadline });
  return waits;
}
