import { fenceTuple, revisionOf } from '@platform/relations';
import type { Tuple } from '@platform/proto/authz/v1/decision';
import { type Database, type Fragment, sql } from '@platform/postgres';
import type { OutgoingContext } from '@platform/rpc';

/**
 * A row of the table projection_pending. `unit` is a part of an organization, such as `team:42`. The tuples of this
 * part must be written to the engine.
 */
export interface PendingUnit {
  readonly id: number;
  readonly unit: string;
}

export interface Waiting {
  /** The oldest pending units, at most {@link unitsAtOnce}. */
  readonly units: readonly PendingUnit[];
  /** The stored fence, if there is one. The engine may have another fence by now. */
  readonly fence: Tuple | undefined;
}

const unitsAtOnce = 40;

export async function readWaiting(
  database: Database, organizationId: number, { deadline }: OutgoingContext,
): Promise<Waiting> {
  const { units, revision } = await database.one(sql<Pick<Waiting, 'units'> & { revision: string | null }>`
    select ${oldest(organizationId, [])} as "units",
           (select revision from noted_fence where organization_id = ${organizationId}) as "revision"`, { deadline });
  return { units, fence: revision === null ? undefined : fenceTuple(organizationId, revision) };
}

/**
 * Step S5 (authorization.md): removes the pending rows of the written units, and stores `fence`. If `fence` is
 * undefined, deletes the stored fence.
 * @returns the oldest units that are still pending, and `fence`
 */
export async function finish(
  database: Database, organizationId: number,
  { written, fence }: { readonly written: readonly PendingUnit[]; readonly fence: Tuple | undefined },
  { deadline }: OutgoingContext,
): Promise<Waiting> {
  const ids = written.map(({ id }) => id);
  const noted = fence === undefined
    ? sql`delete from noted_fence where organization_id = ${organizationId}`
    : sql`
        insert into noted_fence (organization_id, revision)
        select id, ${revisionOf(fence.user)!}::uuid from organization where id = ${organizationId}
        on conflict (organization_id) do update set revision = excluded.revision`;
  const { units } = await database.one(sql<Pick<Waiting, 'units'>>`
    with written as (delete from projection_pending where id = any (${ids}::bigint[])),
         noted as (${noted})
    select ${oldest(organizationId, ids)} as "units"`, { deadline });
  return { units, fence };
}

/**
 * Selects the oldest pending units, without the rows in `except`. The surrounding statement deletes those rows, but
 * this query still sees them.
 */
function oldest(organizationId: number, except: readonly number[]): Fragment {
  return sql`(
    select coalesce(json_agg(json_build_object('id', id, 'unit', unit) order by id), '[]')
      from (select id, unit
              from projection_pending
             where organization_id = ${organizationId} and id <> all (${except}::bigint[])
             order by id limit ${unitsAtOnce}) oldest)`;
}
