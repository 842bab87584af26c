import { type Queryable, sql, type Transaction } from '@platform/postgres';
import { type Deadline, Secret, type Sealed, type Sealer } from '@platform/service';
import type { SealedTable } from '@platform/writes';
import type { HubKey } from '../hubs/store.ts';
import type { Permission } from './requested-organization.ts';
import type { ClusterSettings } from './requested-settings.ts';

export type ClientState = 'creating' | 'active' | 'closing' | 'deleting' | 'deleted';
export type ClusterState = 'active' | 'deleting' | 'deleted';

/** A client organization and how far it is. */
export interface ClientRow {
  readonly id: number;
  readonly creation: string;
  /** Null until orgs-teams has created it. */
  readonly organizationId: number | null;
  readonly name: string;
  readonly hub: HubKey;
  readonly permissions: readonly Permission[];
  readonly state: ClientState;
  readonly deletingAt: Date | null;
}

/** What a client organization is to have on a spoke. */
export interface ClientClusterRow {
  readonly id: number;
  /** Name of the spoke on the hub. */
  readonly name: string;
  readonly state: ClusterState;
  readonly settings: StoredSettings;
  readonly gateway: 'own' | 'shared' | null;
  /** Name of the client organization whose gateway it uses. */
  readonly gatewayOf: string | null;
  /** Of its own gateway. */
  readonly keyId: string | null;
  readonly bytes: Buffer | null;
}

/** Settings of a spoke without its gateway. */
export interface StoredSettings extends Omit<ClusterSettings, 'gateway'> {
  /** Those that hold on this spoke. */
  readonly permissions: readonly Permission[];
}

/** A spoke to add to a client organization. */
export interface NewClientCluster {
  readonly name: string;
  readonly uid: string;
  readonly settings: StoredSettings;
  readonly gateway: NewGateway | undefined;
}

export type NewGateway =
  | { readonly kind: 'own'; readonly config: object; readonly usableAsShared: boolean }
  | { readonly kind: 'shared'; readonly of: number };

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

export function findClient(
  queryable: Queryable, id: number, deadline: Deadline,
): Promise<ClientRow | undefined> {
  return queryable.maybeOne(
    sql<ClientRow>`select ${clientColumns} from client_organization where id = ${id}`, { deadline },
  );
}

/** The client organization that a request has begun to create. */
export function findClientRequested(
  queryable: Queryable, request: string, deadline: Deadline,
): Promise<ClientRow | undefined> {
  return queryable.maybeOne(
    sql<ClientRow>`select ${clientColumns} from client_organization where request = ${request}::uuid`, { deadline },
  );
}

/** Locks a client organization until the transaction ends, against every other change of it and its clusters. */
export function lockClient(transaction: Transaction, id: number): Promise<ClientRow | undefined> {
  return transaction.maybeOne(sql<ClientRow>`
    select ${clientColumns} from client_organization where id = ${id} for update`);
}

/** Id of the client organization with this account. */
export async function findClientOf(
  queryable: Queryable, organizationId: number, deadline: Deadline,
): Promise<number | undefined> {
  const row = await queryable.maybeOne(
    sql<{ id: number }>`select id from client_organization where organization_id = ${organizationId}`, { deadline },
  );
  return row?.id;
}

/** The client organization of this name that has an account, and was not deleted. */
export async function findClientNamed(
  queryable: Queryable, name: string, deadline: Deadline,
): Promise<ClientRow | undefined> {
  return await queryable.maybeOne(
    sql<ClientRow>`
      select ${clientColumns} from client_organization
       where name = ${name.toLowerCase()} and state not in ('creating', 'deleted')`,
    { deadline },
  );
}

/** A role of a client organization on the clusters of a set. */
export interface RoleOnSet {
  readonly organizationId: number;
  readonly roleRefName: string;
}

/** What client organizations of a hub were given on a cluster set. */
export function readRolesOnSet(
  queryable: Queryable, { ownerId, uid }: HubKey, set: string, deadline: Deadline,
): Promise<RoleOnSet[]> {
  return queryable.query(
    sql<RoleOnSet>`
      select distinct organization_id as "organizationId", permission ->> 'roleRefName' as "roleRefName"
        from client_organization, jsonb_array_elements(permissions) permission
       where hub_owner_id = ${ownerId} and hub_uid = ${uid}::uuid and state = 'active'
         and (permission -> 'isClusterSet')::boolean and permission ->> 'name' = ${set}
       order by 1, 2`,
    { deadline },
  );
}

/** The state of a spoke, and the request that added it; undefined when it was never in the client organization. */
export function readClusterState(
  queryable: Queryable, clientId: number, spoke: string,
): Promise<{ readonly state: ClusterState; readonly request: string | null } | undefined> {
  return queryable.maybeOne(sql<{ state: ClusterState; request: string | null }>`
    select state, request from client_cluster where client_id = ${clientId} and name = ${spoke}`);
}

/** What the client organization has on the spoke is to go. */
export async function setClusterDeleting(queryable: Queryable, clientId: number, spoke: string): Promise<void> {
  await queryable.execute(sql`
    update client_cluster set state = 'deleting' where client_id = ${clientId} and name = ${spoke} and state = 'active'`);
}

/** Client organizations with work to be done, or to be done again. */
export async function unfinishedClients(queryable: Queryable, deadline: Deadline): Promise<number[]> {
  const rows = await queryable.query(
    sql<{ id: number }>`select id from client_organization where state <> 'deleted' order by id`, { deadline },
  );
  return rows.map(({ id }) => id);
}

/** The account exists from now on. */
export async function markCreated(queryable: Queryable, id: number, organizationId: number): Promise<void> {
  await queryable.execute(sql`
    update client_organization set organization_id = ${organizationId}, state = 'active' where id = ${id}`);
}

/** Forgets a client organization that was not created. */
export async function deleteClient(queryable: Queryable, id: number): Promise<void> {
  await queryable.execute(sql`delete from client_organization where id = ${id} and state = 'creating'`);
}

/** `closing`: the deletion may still be refused, then it is `active` again. */
export async function setClosing(queryable: Queryable, id: number, closing: boolean): Promise<void> {
  await queryable.execute(sql`
    update client_organization
       set state = ${closing ? 'closing' : 'active'}, deleting_at = ${closing ? sql`now()` : sql`null`}
     where id = ${id}`);
}

/** The deletion is certain, and so is that of its clusters. @returns how many of them there are */
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

/**
 * Adds spokes; one that was deleted from the organization before is active again.
 * @param domain `labels.domain`
 * @param request that adds them, where it may be repeated
 */
export async function putClientClusters(
  queryable: Queryable,
  { sealer, domain, request }: {
    readonly sealer: Sealer; readonly domain: string; readonly request: string | undefined;
  },
  clientId: number, clusters: readonly NewClientCluster[],
): Promise<void> {
  for (const { name, uid, settings, gateway } of clusters) {
    const metadata = billingMetadata(settings.annotations, domain);
    const { id } = await queryable.one(sql<{ id: number }>`
      insert into client_cluster as known (client_id, name, uid, settings, billing_metadata, request)
      values (${clientId}, ${name}, ${uid}, ${sql.json(settings)}::json, ${sql.json(metadata)}::jsonb,
              ${request ?? null}::uuid)
      on conflict on constraint client_cluster_name do update
         set uid = excluded.uid, request = excluded.request, settings = excluded.settings, billing_metadata = excluded.billing_metadata,
             state = 'active', deleted_at = null, gateway = null, gateway_of = null, sealed_by = null, sealed_secret = null,
             usable_as_shared = false
      returning id`);
    if (gateway?.kind === 'own') {
      const { keyId, bytes } = sealer.seal(new Secret(JSON.stringify(gateway.config)), gatewayIdentity({ id }));
      await queryable.execute(sql`
        update client_cluster
           set gateway = 'own', sealed_by = ${keyId}, sealed_secret = ${bytes}, usable_as_shared = ${gateway.usableAsShared}
         where id = ${id}`);
    } else if (gateway !== undefined) {
      await queryable.execute(sql`
        update client_cluster set gateway = 'shared', gateway_of = ${gateway.of} where id = ${id}`);
    }
  }
}

/** The annotations that are for billing, too (open-points 4.1). */
function billingMetadata(annotations: Readonly<Record<string, string>>, domain: string): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => key.startsWith(`client.${domain}/`)));
}

/** For whom the configuration of a gateway is sealed. */
function gatewayIdentity({ id }: { readonly id: number }): string {
  return `client_cluster/${id}/gateway`;
}

/** The configuration of its own gateway; undefined when it has none. */
export function openGateway(
  sealer: Sealer, { id, keyId, bytes }: Pick<ClientClusterRow, 'id' | 'keyId' | 'bytes'>,
): Secret | undefined {
  return keyId === null ? undefined : sealer.open({ keyId, bytes: bytes! } satisfies Sealed, gatewayIdentity({ id }));
}

/** For `platform admin keys rotate`. */
export const sealedGateways: SealedTable<{ readonly id: number }> = {
  table: 'client_cluster', columns: sql`id`, identityOf: gatewayIdentity,
};

/** The spokes of a client organization by name, those that were deleted among them. */
export function readClientClusters(
  queryable: Queryable, clientId: number, deadline: Deadline,
): Promise<ClientClusterRow[]> {
  return queryable.query(
    sql<ClientClusterRow>`
      select cluster.id, cluster.name, cluster.state, settings, gateway, shared.name as "gatewayOf",
             sealed_by as "keyId", sealed_secret as "bytes"
        from client_cluster cluster
        left join client_organization shared on shared.id = cluster.gateway_of
       where client_id = ${clientId} order by cluster.name collate "C"`,
    { deadline },
  );
}

/** Nothing of the organization is on the spoke any more. @returns false when it was added again meanwhile */
export async function markClusterDeleted(queryable: Queryable, id: number): Promise<boolean> {
  return (await queryable.execute(sql`
    update client_cluster
       set state = 'deleted', deleted_at = now(), gateway = null, gateway_of = null, sealed_by = null,
           sealed_secret = null, usable_as_shared = false
     where id = ${id} and state = 'deleting'`)) > 0;
}
