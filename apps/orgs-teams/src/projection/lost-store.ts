import { randomUUID } from 'node:crypto';
import { type Database, sql } from '@platform/postgres';
import type { Tuple } from '@platform/proto/authz/v1/decision';
import type { ReportLostStoreRequest, ReportLostStoreResponse } from '@platform/proto/orgs/v1/identity';
import { fenceTuple } from '@platform/relations';
import type { OutgoingContext } from '@platform/rpc';
import { type Engine, mostInOneWrite, readTuples } from './engine.ts';
import { fenceFilter } from './relations.ts';
import { rewriteAll } from './store.ts';

/**
 * Step S1 (authorization.md): returns the only fence of an organization. If there are several fences or none, writes a
 * new fence in their place and reads again. A missing fence may mean that the engine has lost the tuples of the
 * organization, see {@link rewriteIfLost}.
 */
export async function readFence(
  database: Database, engine: Engine, organizationId: number, call: OutgoingContext,
): Promise<Tuple> {
  for (;;) {
    const fences = await readTuples(engine, [fenceFilter(organizationId)], call);
    const [fence, ...others] = fences;
    if (fence !== undefined && others.length === 0) return fence;
    if (fence === undefined) await rewriteIfLost(database, engine, organizationId, call);
    const fresh = fenceTuple(organizationId, randomUUID());
    await engine.writeTuples({ deletes: fences.slice(0, mostInOneWrite - 1), writes: [fresh] }, call);
  }
}

/** Handles the report that the engine has no fence tuple of an organization (authorization.md R5). */
export function reportLostStore(
  { database, engine }: { readonly database: Database; readonly engine: Engine },
): (request: ReportLostStoreRequest, call: OutgoingContext) => Promise<ReportLostStoreResponse> {
  return async ({ organizationId }, call) => {
    await rewriteIfLost(database, engine, organizationId, call);
    return {};
  };
}

/**
 * Called when the engine had no fence of an organization. Marks all tuples of the organization to be written again,
 * and renews the revisions of the organization and its teams. Does nothing if the tuples are already marked, or if the
 * engine has a fence by now.
 */
async function rewriteIfLost(
  database: Database, engine: Engine, organizationId: number, call: OutgoingContext,
): Promise<void> {
  if (await waitsAsAWhole(database, organizationId, call)) return;
  // Read the fence after the pending rows, because a process writes the fence before it removes the pending rows.
  if ((await readTuples(engine, [fenceFilter(organizationId)], call)).length > 0) return;
  const added = await database.transact((work) => rewriteAll(work, [organizationId]), { deadline: call.deadline });
  if (added > 0) call.log?.error({ organizationId }, 'the engine lost tuples of an organization; writing them again');
}

async function waitsAsAWhole(database: Database, organizationId: number, call: OutgoingContext): Promise<boolean> {
  const { waits } = await database.one(sql<{ waits: boolean }>`
    select exists (
             select from projection_pending where organization_id = ${organizationId} and unit = 'all'
           ) as "waits"`, { deadline: call.deadline });
  return waits;
}
