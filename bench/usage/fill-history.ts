import type pg from 'pg';

/** The usage to write: its owner, its amount, and the month that views show. */
export interface UsageOfSite {
  readonly ownerId: number;
  readonly clusters: number;
  readonly objectsOfCluster: number;
  /** Number of all events, including those of the month. */
  readonly events: number;
  /** First day of the month that views show. */
  readonly firstDay: string;
}

/** Events of each object in the month that views show. */
const eventsOfMonth = 3;

const kinds = ['Postgres', 'MySQL', 'MongoDB', 'Redis'];

/**
 * Fills the tables of billing-dashboard with the rows for the events of the month and of the year before. The service
 * would need too long for these events. Versions are inserted in order of time, as the service would insert them. To
 * save time, the two largest tables are unlogged, and most of their indexes are created afterwards.
 */
export async function fillHistory(client: pg.Client, usage: UsageOfSite): Promise<void> {
  await client.query(`set maintenance_work_mem = '512MB'; set synchronous_commit = off`);
  await client.query('alter table object_version set unlogged; alter table usage_segment set unlogged');
  await client.query('alter table object_version drop constraint object_version_once');
  await client.query('set session_replication_role = replica');
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes
     where schemaname = current_schema and tablename in ('object_version', 'usage_segment')
       and indexdef not like 'CREATE UNIQUE %'`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  for (const statement of statementsFor(usage)) await client.query(statement);
  for (const { definition } of indexes) await client.query(definition);
  await client.query('alter table object_version add constraint object_version_once unique (object_id, identity)');
  await client.query('vacuum (analyze) object_version, usage_segment, usage_month, metered_object, cluster, contract');
}

/**
 * Each object has three events in the month, ten days apart. Its other events are evenly distributed over the year
 * before.
 */
function statementsFor({ ownerId, clusters, objectsOfCluster, events, firstDay }: UsageOfSite): string[] {
  const objects = clusters * objectsOfCluster;
  const history = events / objects - eventsOfMonth;
  const month = `timestamp '${firstDay}'`;
  const us = (timestamp: string) => `(extract(epoch from ${timestamp}) * 1000000)::bigint`;
  return [
    `create temporary table one_object as
     select o, c, md5('cluster ' || c)::uuid as cluster_uid, md5('object ' || o)::uuid as uid,
            'database-' || o as name, 'team-' || o % 5 as namespace, kind,
            case when c % 2 = 0 then 'prod' else '' end as mode,
            (100 + o % 4000)::numeric * 1000000 as cpu, (1 + o % 64)::numeric * 268435456000000000 as memory,
            case when c % 10 < 8 then 1 + c % 20 else 0 end as contract_id,
            case when c % 10 = 8 then 'free' when c % 10 = 9 then 'none' when c % 2 = 0 then 'prod' else 'nonProd'
            end as class,
            jsonb_build_object('group', 'kubedb.com', 'kind', kind, 'name', 'database-' || o,
                               'namespace', 'team-' || o % 5, 'pods', '[]'::jsonb, 'volumes', '[]'::jsonb) as detail
       from generate_series(1, ${objects}) o,
            lateral (select (o - 1) / ${objectsOfCluster} as c) place,
            lateral (select ('{${kinds.join()}}'::text[])[1 + o % ${kinds.length}] as kind) named`,
    `create temporary table one_version as
     select v, at, next, tstzmultirange(tstzrange(at, next)) as seen, ${us('at')} as from_us,
            ${us(`least(next, date_trunc('month', at) + interval '1 month')`)} as to_us,
            date_trunc('month', at)::date as month
       from (
         select v, ${month} - interval '1 year' + (v - 1) * interval '365 days' / ${history} as at,
                ${month} - interval '1 year' + v * interval '365 days' / ${history} as next
           from generate_series(1, ${history}) v
         union all
         select ${history} + v, ${month} + (v - 1) * interval '10 days',
                case when v = ${eventsOfMonth} then ${month} + interval '1 month'
                     else ${month} + v * interval '10 days' end
           from generate_series(1, ${eventsOfMonth}) v
       ) version`,
    `create temporary table one_segment as
     select month, min(from_us) as from_us, max(to_us) as to_us, max(from_us) as event_us from one_version group by month`,
    'analyze one_object, one_version',
    `insert into cluster (id, owner_id, uid, name, display_name, imported_at)
     select distinct 1000000 + c, ${ownerId}, cluster_uid, 'cluster-' || c, 'Cluster ' || c, now() from one_object`,
    `insert into contract (id, owner_id, name, product, starts_at, ends_at)
     select id, ${ownerId}, 'Contract ' || id, 'productdb', '2020-01-01', '2100-01-01' from generate_series(1, 20) id`,
    `insert into reported_object (owner_id, cluster_uid, product_name, api_group, resource, subject, versions)
     select ${ownerId}, cluster_uid, 'productdb', 'core.k8s.platform.dev', 'genericresources', uid::text,
            ${history + eventsOfMonth}
       from one_object order by o`,
    `insert into metered_object (
       owner_id, cluster_uid, product, object_uid, first_at, last_seen_at, api_group, kind, name, namespace,
       namespace_uid, created_at
     )
     select ${ownerId}, cluster_uid, 'productdb', uid::text, ${month} - interval '1 year',
            ${month} + interval '1 month', 'kubedb.com', kind, name, namespace, md5(c || namespace),
            ${month} - interval '1 year'
       from one_object order by o`,
    ...Array.from({ length: history + eventsOfMonth }, (_, place) => versionsOfAll(ownerId, place + 1)),
    `insert into usage_segment (
       metered_id, from_us, to_us, month, owner_id, product, cpu, memory, contract_id, class, mode, event_us
     )
     select o, from_us, to_us, month, ${ownerId}, 'productdb', cpu, memory, contract_id, class, mode, event_us
       from one_object cross join one_segment order by month, o`,
    `insert into usage_month
     select summed.*
       from (select distinct metered_id, month from usage_segment) object
      cross join lateral sum_up_usage(object.metered_id, object.month, ${Number.MAX_SAFE_INTEGER}) summed
      order by summed.month, summed.metered_id`,
  ];
}

/** Inserts version `v` of each object. */
function versionsOfAll(ownerId: number, v: number): string {
  return `
    insert into object_version (
      object_id, version, identity, type, licence_id, generation, seen, received_at, last_received_at, metered_id,
      owner_id, cpu, memory, storage, replicas, mode, resource_trial, detail
    )
    select o, v, sha256(int8send(o * 1000 + v)), 'updated', 'bench', v, seen, at, next, o, ${ownerId}, cpu, memory, 0,
           3, mode, false, detail
      from one_object cross join one_version where v = ${v} order by o`;
}
