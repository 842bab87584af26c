import { addJobs } from '@platform/jobs';
import { type Database, sql, type Transaction } from '@platform/postgres';
import type { HubKey } from '../hubs/store.ts';
import { lockClient, markCreated } from './store.ts';
import { advanceClient } from './task.ts';

/** Imports the clusters of a new account, and adds the job that creates its objects on them. May be repeated. */
export async function finishCreation(database: Database, id: number, organizationId: number): Promise<void> {
  await database.transact(async (transaction) => {
    const client = await lockClient(transaction, id);
    if (client?.state !== 'creating') return;
    await markCreated(transaction, id, organizationId);
    await importClusters(transaction, id, organizationId, client.hub);
    await addJobs(transaction, [advanceClient({ id }, { key: `client ${id}` })]);
  });
}

/** Imports the hub and the active spokes under the account, with the descriptions that the owner of the hub has. */
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
