import { type Queryable, sql, type Transaction } from '@platform/postgres';
import { type Deadline, type Sealer, Secret } from '@platform/service';
import type { SealedTable } from '@platform/writes';
import type { HubKey } from '../hubs/store.ts';
import type { Permission } from './requested-organization.ts';
import type { ClusterSettings } from './requested-settings.ts';

export type ClusterState = 'active' | 'deleting' | 'deleted';

/** The wanted state of a client organization on a spoke. */
export interface ClientClusterRow {
  readonly id: number;
  readonly name: string;
  readonly state: ClusterState;
  readonly settings: StoredSettings;
  readonly gateway: 'own' | 'shared' | null;
  /** Name of the client organization whose shared gateway this organization uses. */
  readonly gatewayOf: string | null;
  readonly keyId: string | null;
  readonly bytes: Buffer | null;
}

export interface StoredSettings extends Omit<ClusterSettings, 'gateway'> {
  readonly permissions: readonly Permission[];
}

export interface NewClientCluster {
  readonly name: string;
  readonly uid: string;
  readonly settings: StoredSettings;
}

export type NewGateway =
  | { readonly kind: 'own'; readonly config: object; readonly usableAsShared: boolean }
  | { readonly kind: 'shared'; readonly of: number };

/**
 * Returns the state of a spoke, and the id of the request that added the spoke, if that request can be repeated.
 * Undefined if the spoke was never in the client organization.
 */
export function readClusterState(
  queryable: Queryable, clientId: number, spoke: string,
): Promise<{ readonly state: ClusterState; readonly request: string | null } | undefined> {
  return queryable.maybeOne(sql<{ state: ClusterState; request: string | null }>`
    select state, request from client_cluster where client_id = ${clientId} and name = ${spoke}`);
}

export async function setClusterDeleting(queryable: Queryable, clientId: number, spoke: string): Promise<void> {
  await queryable.execute(sql`
    update client_cluster set state = 'deleting' where client_id = ${clientId} and name = ${spoke} and state = 'active'`);
}

/**
 * Adds spokes to a client organization. A spoke that was removed earlier becomes active again.
 * @param domain setting `labels.domain`
 * @param request id of the request that adds the spokes; undefined if the request cannot be repeated
 */
export async function putClientClusters(
  queryable: Queryable,
  { sealer, domain, request, gateway }:
  { sealer: Sealer; domain: string; request: string | undefined; gateway: NewGateway | undefined },
  clientId: number, clusters: readonly NewClientCluster[],
): Promise<void> {
  for (const { name, uid, settings } of clusters) {
    // The annotations that are also metadata for billing (open-points 4.1).
    const billed = Object.entries(settings.annotations).filter(([key]) => key.startsWith(`client.${domain}/`));
    const { id } = await queryable.one(sql<{ id: number }>`
      insert into client_cluster as known (client_id, name, uid, settings, billing_metadata, request)
      values (${clientId}, ${name}, ${uid}, ${sql.json(settings)}::json, ${sql.json(Object.fromEntries(billed))}::jsonb,
              ${request ?? null}::uuid)
      on conflict on constraint client_cluster_name do update
         set uid = excluded.uid, request = excluded.request, settings = excluded.settings, billing_metadata = excluded.billing_metadata,
             state = 'active', deleted_at = null, gateway = null, gateway_of = null, sealed_by = null, sealed_secret = null,
             usable_as_shared = false
      returning id`);
    if (gateway?.kind === 'own') {
      const secret = new Secret(JSON.stringify(gateway.config));
      const { keyId, bytes } = sealer.seal(secret, sealedGateways.identityOf({ id }));
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

/**
 * Returns the configuration of an organization's own gateway on a spoke, as JSON. Undefined if the organization uses a
 * shared gateway, or no gateway.
 */
export function openGateway(
  sealer: Sealer, { id, keyId, bytes }: Pick<ClientClusterRow, 'id' | 'keyId' | 'bytes'>,
): Secret | undefined {
  return keyId === null ? undefined : sealer.open({ keyId, bytes: bytes! }, sealedGateways.identityOf({ id }));
}

/**
 * Describes the table with the configurations of gateways. `platform admin keys rotate` encrypts these configurations
 * again.
 */
export const sealedGateways: SealedTable<{ readonly id: number }> = {
  table: 'client_cluster', columns: sql`id`, identityOf: ({ id }) => `client_cluster/${id}/gateway`,
};

/** The spokes of a client organization, sorted by name, including deleted spokes. */
export function readClientClusters(
  queryable: Queryable, clientId: number, deadline: Deadline,
): Promise<ClientClusterRow[]> {
  return queryable.query(sql<ClientClusterRow>`
    select cluster.id, cluster.name, cluster.state, settings, gateway, shared.name as "gatewayOf",
           sealed_by as "keyId", sealed_secret as "bytes"
      from client_cluster cluster
      left join client_organization shared on shared.id = cluster.gateway_of
     where client_id = ${clientId} order by cluster.name collate "C"`, { deadline });
}

/** Changes the state of a spoke from `deleting` to `deleted`. @returns false if the state was not `deleting` */
export async function markClusterDeleted(queryable: Queryable, id: number): Promise<boolean> {
  return (await queryable.execute(sql`
    update client_cluster
       set state = 'deleted', deleted_at = now(), gateway = null, gateway_of = null, sealed_by = null,
           sealed_secret = null, usable_as_shared = false
     where id = ${id} and state = 'deleting'`)) > 0;
}

/**
 * Imports the hub and the active spokes for the account of a client organization. Copies the data of clusters that the
 * hub's owner has imported. Leaves out the hub if its owner no longer has it.
 */
export async function importClusters(
  transaction: Transaction, id: number, organizationId: number, { ownerId, uid }: HubKey,
): Promise<void> {
  await transaction.execute(sql`
    insert into cluster
           (owner_id, uid, name, display_name, provider, kubernetes_version, node_count, hub, hub_owner_id,
            last_contact_at)
    select ${organizationId}::bigint, wanted.uid, wanted.name, coalesce(known.display_name, ''),
           coalesce(known.provider, 'Generic'), coalesce(known.kubernetes_version, ''), coalesce(known.node_count, 0),
           wanted.hub, case when wanted.hub then ${ownerId}::bigint end, known.last_contact_at
      from (select uid, name, true as hub from cluster
             where owner_id = ${ownerId} and uid = ${uid}::uuid and hub
             union all
            select uid, name, false from client_cluster where client_id = ${id} and state = 'active') as wanted
      left join cluster known on known.owner_id = ${ownerId} and known.uid = wanted.uid
     order by wanted.hub desc, wanted.name
        on conflict do nothing`);
}
