import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { ClientState } from './store.ts';
import type { ClusterState } from './cluster-store.ts';

/** How many days the status of a deleted client organization is available (open-points 4.3). */
const shownDays = 30;

/** Deletes client organizations whose status is no longer available. */
export async function deleteOldClients(
  queryable: Queryable, { deadline }: { readonly deadline: Deadline },
): Promise<void> {
  await queryable.execute(sql`
    delete from client_organization where deleted_at < now() - ${shownDays} * interval '1 day'`, { deadline });
}

/** The states that determine the status of a client organization and of its clusters. */
export interface StatesRow {
  readonly state: ClientState;
  /** A spoke that was removed before the organization was deleted does not count. */
  readonly clusters: readonly { readonly name: string; readonly state: ClusterState; readonly counts: boolean }[];
}

export function readStates(queryable: Queryable, name: string, deadline: Deadline): Promise<StatesRow | undefined> {
  return queryable.maybeOne(sql<StatesRow>`
    select state, array(
             select jsonb_build_object('name', cluster.name, 'state', cluster.state, 'counts',
                      coalesce(cluster.deleted_at >= client.deleting_at, true))
               from client_cluster cluster where cluster.client_id = client.id) as "clusters"
      from client_organization client
     where name = ${name} and state <> 'creating'
       and coalesce(deleted_at > now() - ${shownDays} * interval '1 day', true)
     order by id desc limit 1`, { deadline });
}
