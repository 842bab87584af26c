import { type Queryable, sql, type Transaction } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { HubKey } from '../hubs/store.ts';
import type { ClusterState } from './cluster-store.ts';
import type { Permission } from './requested-organization.ts';

export type ClientState = 'creating' | 'active' | 'closing' | 'deleting' | 'deleted';

export interface ClientRow {
  readonly id: number;
  readonly creation: string;
  /** Id of the account at orgs-teams. Null in the state `creating`. */
  readonly organizationId: number | null;
  readonly name: string;
  readonly hub: HubKey;
  readonly permissions: readonly Permission[];
  readonly state: ClientState;
  readonly deletingAt: Date | null;
}

const clientColumns = sql`
  id, creation, organization_id as "organizationId", name,
  jsonb_build_object('ownerId', hub_owner_id, 'uid', hub_uid) as "hub", permissions, state,
  deleting_at as "deletingAt"`;

/** @throws UniqueViolation client_organization_name */
export function insertClient(
  queryable: Queryable,
  client: Pick<ClientRow, 'creation' | 'name' | 'hub' | 'permissions'> & { readonly request: string | undefined },
): Promise<ClientRow> {
  return queryable.one(sql<ClientRow>`
    insert into client_organization (creation, request, name, hub_owner_id, hub_uid, permissions)
    values (${client.creation}, ${client.request ?? null}::uuid, ${client.name}, ${client.hub.ownerId}, ${client.hub.uid},
            ${sql.json(client.permissions)}::jsonb)
    returning ${clientColumns}`);
}

export function findClient(queryable: Queryable, id: number, deadline: Deadline): Promise<ClientRow | undefined> {
  return queryable.maybeOne(sql<ClientRow>`
    select ${clientColumns} from client_organization where id = ${id}`, { deadline });
}

/** Finds a client organization by the id of the request that creates the organization. */
export function findClientRequested(
  queryable: Queryable, request: string, deadline: Deadline,
): Promise<ClientRow | undefined> {
  return queryable.maybeOne(sql<ClientRow>`
    select ${clientColumns} from client_organization where request = ${request}::uuid`, { deadline });
}

/** Locks a client organization. Calls that change the organization, or add or remove clusters, wait for this lock. */
export function lockClient(transaction: Transaction, id: number): Promise<ClientRow | undefined> {
  return transaction.maybeOne(sql<ClientRow>`
    select ${clientColumns} from client_organization where id = ${id} for update`);
}

export async function findClientOf(
  queryable: Queryable, organizationId: number, deadline: Deadline,
): Promise<number | undefined> {
  const row = await queryable.maybeOne(sql<{ id: number }>`
    select id from client_organization where organization_id = ${organizationId}`, { deadline });
  return row?.id;
}

/** Finds a client organization by name, in any state except `creating` and `deleted`. */
export async function findClientNamed(
  queryable: Queryable, name: string, deadline: Deadline,
): Promise<ClientRow | undefined> {
  return await queryable.maybeOne(sql<ClientRow>`
    select ${clientColumns} from client_organization
     where name = ${name.toLowerCase()} and state not in ('creating', 'deleted')`, { deadline });
}

/** The roles that active client organizations of a hub have on a cluster set. */
export function readRolesOnSet(
  queryable: Queryable, { ownerId, uid }: HubKey, set: string, deadline: Deadline,
): Promise<{ organizationId: number; roleRefName: string }[]> {
  return queryable.query(sql<{ organizationId: number; roleRefName: string }>`
    select distinct organization_id as "organizationId", permission ->> 'roleRefName' as "roleRefName"
      from client_organization, jsonb_array_elements(permissions) permission
     where hub_owner_id = ${ownerId} and hub_uid = ${uid}::uuid and state = 'active'
       and (permission -> 'isClusterSet')::boolean and permission ->> 'name' = ${set}
     order by 1, 2`, { deadline });
}

/** Returns the ids of all client organizations that are not deleted. Work on any of them may be unfinished. */
export async function unfinishedClients(queryable: Queryable, deadline: Deadline): Promise<number[]> {
  const rows = await queryable.query(sql<{ id: number }>`
    select id from client_organization where state <> 'deleted' order by id`, { deadline });
  return rows.map(({ id }) => id);
}

export async function markCreated(queryable: Queryable, id: number, organizationId: number): Promise<void> {
  await queryable.execute(sql`
    update client_organization set organization_id = ${organizationId}, state = 'active' where id = ${id}`);
}

/** Deletes the row of a client organization. Does nothing if the state is not `creating`. */
export async function deleteClient(queryable: Queryable, id: number): Promise<void> {
  await queryable.execute(sql`delete from client_organization where id = ${id} and state = 'creating'`);
}

/** Sets the state `closing`, or `active` again. In the state `closing`, orgs-teams may still refuse the deletion. */
export async function setClosing(queryable: Queryable, id: number, closing: boolean): Promise<void> {
  await queryable.execute(sql`
    update client_organization
       set state = ${closing ? 'closing' : 'active'}, deleting_at = ${closing ? sql`now()` : sql`null`}
     where id = ${id}`);
}

/**
 * Sets the state of a client organization and of its active clusters to `deleting`. After that, the deletion can no
 * longer be refused. @returns the number of clusters that are not deleted yet
 */
export async function setDeleting(queryable: Queryable, id: number): Promise<number> {
  await queryable.execute(sql`update client_organization set state = 'deleting' where id = ${id}`);
  await queryable.execute(sql`
    update client_cluster set state = 'deleting' where client_id = ${id} and state = 'active'`);
  const { left } = await queryable.one(sql<{ left: number }>`
    select count(*) as "left" from client_cluster where client_id = ${id} and state = 'deleting'`);
  return left;
}

export async function markDeleted(queryable: Queryable, id: number): Promise<void> {
  await queryable.execute(sql`
    update client_organization set state = 'deleted', deleted_at = now() where id = ${id} and state = 'deleting'`);
}

/** How many days the status of a deleted client organization is available (open-points 4.3). */
const shownDays = 30;

/** Deletes the rows of client organizations that were deleted more than `shownDays` days ago. */
export async function deleteOldClients(queryable: Queryable, { deadline }: { deadline: Deadline }): Promise<void> {
  await queryable.execute(sql`
    delete from client_organization where deleted_at < now() - ${shownDays} * interval '1 day'`, { deadline });
}

/** The states that determine the status of a client organization and of its clusters. */
export interface StatesRow {
  readonly state: ClientState;
  /** `counts` is false for a spoke that was deleted before the deletion of the organization began. */
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
