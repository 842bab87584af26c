import { sql, type Transaction } from '@platform/postgres';
import { Fault } from '@platform/faults';
import { invalidValue } from '@platform/values';
import type { HubKey } from '../hubs/store.ts';
import type { RequestedGateway } from './requested-settings.ts';
import type { NewGateway } from './cluster-store.ts';

/**
 * Returns the gateway that a request selects for these spokes; undefined if the request selects no gateway. The rows of
 * a shared gateway stay locked until the transaction ends. {@link refuseGatewayInUse} waits for this lock, so nobody
 * deletes the gateway meanwhile. A second statement reads the gateway, so it sees deletions that came before the lock.
 * @param defaultPreset setting `gateway.defaultPreset`: `{namespace}/{name}`, or empty
 * @throws Fault INVALID_VALUE when the gateway is missing, not shared, or not on all of the spokes
 */
export async function chooseGateway(
  transaction: Transaction, hub: HubKey, spokes: readonly string[], requested: RequestedGateway | undefined,
  defaultPreset: string,
): Promise<NewGateway | undefined> {
  if (requested === undefined || requested.kind === 'own') return requested;
  const { ref, path } = requested;
  const refuse = (message: string) => invalidValue([{ path, message }]);
  if (ref === 'default' && defaultPreset === '') throw refuse('is required: there is no default gateway');
  const [namespace = '', name = ''] = ref === 'default' ? defaultPreset.split('/') : [ref.namespace, ref.name];
  const shared = sql`
      from client_cluster cluster
      join client_organization client on client.id = cluster.client_id
     where client.name = ${name} and ${name} || '-gw' = ${namespace} and client.state = 'active'
       and client.hub_owner_id = ${hub.ownerId} and client.hub_uid = ${hub.uid}
       and cluster.state = 'active' and cluster.usable_as_shared
     order by cluster.id`;
  await transaction.execute(sql`select ${shared} for share of cluster`);
  const found = await transaction.query(sql<{ clientId: number; spoke: string }>`
    select client.id as "clientId", cluster.name as "spoke" ${shared}`);
  const there = new Set(found.map(({ spoke }) => spoke));
  const missing = spokes.find((spoke) => !there.has(spoke));
  if (found.length === 0) {
    throw refuse(ref === 'default'
      ? 'is required: the default gateway is not available'
      : 'is not the name of a shared gateway of the hub');
  }
  if (missing !== undefined) {
    throw refuse(ref === 'default'
      ? `is required: the default gateway is not on the cluster ${missing}`
      : `names a gateway that is not on the cluster ${missing}`);
  }
  return { kind: 'shared', of: found[0]!.clientId };
}

/**
 * Checks that no other client organization uses the gateway of this client organization on `spoke`, or on any of its
 * clusters if `spoke` is undefined.
 * @throws Fault GATEWAY_IN_USE
 */
export async function refuseGatewayInUse(transaction: Transaction, clientId: number, spoke?: string): Promise<void> {
  const there = spoke === undefined ? sql`` : sql`and name = ${spoke}`;
  await transaction.execute(sql`
    select from client_cluster where client_id = ${clientId} ${there} order by id for update`);
  // This is a separate statement, so that it sees everything that was committed before the rows were locked.
  const used = await transaction.query(sql<{ name: string }>`
    select distinct client.name
      from client_cluster cluster join client_organization client on client.id = cluster.client_id
     where cluster.gateway_of = ${clientId} and cluster.state <> 'deleted'
       and cluster.name in (select name from client_cluster where client_id = ${clientId} ${there})
     order by client.name limit 10`);
  if (used.length === 0) return;
  throw new Fault('GATEWAY_IN_USE', `the gateway is used by ${used.map(({ name }) => name).join(', ')}`);
}
