import type { Apply } from '@platform/facts';
import { sql } from '@platform/postgres';
import { removeBackends } from './store.ts';

/** A removed cluster takes its backends along, and so does one that has moved to another account (open-points 9.1). */
export const applyClusters: Apply<'cluster'> = async (transaction, facts) => {
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [Number(key)] : []));
  const there = facts.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const moved = await transaction.query(sql<{ id: number }>`
    select distinct cluster_id as "id"
      from backend join unnest(${there.map(({ id }) => id)}::bigint[], ${there.map(({ ownerId }) => ownerId)}::bigint[])
             as given (id, owner_id) on given.id = backend.cluster_id
     where backend.owner_id <> given.owner_id and backend.present`);
  const clusterIds = [...gone, ...moved.map(({ id }) => id)];
  if (clusterIds.length > 0) await removeBackends(transaction, { clusterIds });
};
