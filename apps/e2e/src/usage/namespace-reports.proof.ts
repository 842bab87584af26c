import { randomUUID } from 'node:crypto';
import { connect, type Database, sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { type ProofOptions, type ProofResult, until } from '@platform/testing';
import { bind } from '../contracts/contract-world.ts';
import { startUsageWorld, usageHosts, type UsageWorld } from './usage-world.ts';

export const name = 'namespace-reports';
export const describe = 'The report of 100,000 objects on 1,000 clusters, in namespaces of client organizations, names '
  + 'each of them once, in order, and comes within 2 s.';
export const servers = true;

const wholeClusters = 1_000;
const [objectsOfCluster, namespacesOfCluster, versions] = [100, 10, 3];
const mostMs = 2_000;
const tries = 5;

export async function prove(options: ProofOptions): Promise<ProofResult> {
  const ownProcess = { of: ['gateway', 'billing-dashboard'], because: 'measured' } as const;
  await using world = await startUsageWorld({ hosts: usageHosts, ownProcess });
  return await tryReports(world, options);
}

interface Report {
  readonly clusterInfo: { readonly uid: string };
  readonly namespaceInfo: { readonly name: string; readonly clientOrgID: string };
  readonly databases: readonly {
    readonly databaseInfo: { readonly uid: string };
    readonly podDetails: readonly { readonly count: number }[];
    readonly volumeDetails: readonly { readonly expansions: readonly object[] }[];
  }[];
}

/** Runs the proof in an existing world. Times are judged only for the whole proof. */
export async function tryReports(world: UsageWorld, { share, report }: Pick<ProofOptions, 'share' | 'report'>) {
  const owner = await world.person();
  const [organization, client] = [await world.organization(owner), await world.organization(owner)];
  const clusters = Array.from({ length: Math.max(1, Math.round(wholeClusters * share)) }, () => randomUUID()).sort();
  const contract = await world.contract(organization.id, { products: ['productdb'], enableClientBilling: true });
  await bind(world.siteAdmin.http, contract.id, clusters.map((cluster) => ({ cluster })));
  const { url, schema } = world.platform.databases['billing-dashboard'];
  await using rows = connect({ url, schema, applicationName: 'proof', maxConnections: 1, statementTimeout: 300_000 });
  await until(async () => {
    const { bound } = await rows.one(sql<{ bound: number }>`
      select count(*)::integer as "bound" from contract_cluster where contract_id = ${contract.id}`);
    return bound === clusters.length;
  }, { within: 60_000, what: 'the contract is known' });
  await storeDatabases(rows, organization.id, clusters, client.id);
  report(`${clusters.length * objectsOfCluster} objects are stored`);
  await until(async () => {
    const { due } = await rows.one(sql<{ due: boolean }>`
      select exists (select from metered_object where owner_id = ${organization.id} and due_from is not null) as "due"`);
    return !due;
  }, { within: 600_000, what: 'the usage of all objects is renewed' });
  report('their usage is renewed');
  const path = `/api/v1/dbaas/billing/reports/namespaces?org=${organization.username}`;
  const { status, text } = await owner.http.get(path, { within: 120_000 });
  if (status !== 200) throw new Error(`${status}: ${text.slice(0, 200)}`);
  // Use a client without checks: comparing 49 MB with the OpenAPI document takes a second.
  const times: number[] = [];
  const headers = { authorization: `token ${owner.token}` };
  for (let count = 0; count < (share < 1 ? 1 : tries); count += 1) {
    const begun = performance.now();
    const answer = await fetch(`${owner.http.baseUrl}${path}`, { headers, signal: AbortSignal.timeout(120_000) });
    const { byteLength } = await answer.arrayBuffer();
    times.push(performance.now() - begun);
    if (byteLength < text.length) throw new Error(`${answer.status}, ${byteLength} bytes`);
  }
  const best = Math.min(...times);
  const { namespaces } = JSON.parse(text) as { namespaces: Report[] };
  const wrongs = wrongsOf(namespaces, clusters, String(client.id));
  const counterexamples = [...wrongs];
  if (share === 1 && best > mostMs) counterexamples.push(`the report took ${Math.round(best)} ms`);
  return {
    figure: `${clusters.length * objectsOfCluster} objects, ${(text.length / 1e6).toFixed(1)} MB, ${Math.round(best)} ms at best of `
      + `${times.map(Math.round).join(', ')}; ${wrongs.length} wrong`,
    holds: counterexamples.length === 0, counterexamples,
  };
}

function wrongsOf(namespaces: readonly Report[], clusters: readonly string[], clientId: string): string[] {
  const shown = namespaces.map(({ clusterInfo, namespaceInfo }) => `${clusterInfo.uid}/${namespaceInfo.name}`);
  const expected = clusters.flatMap((uid) => Array.from({ length: namespacesOfCluster }, (_, place) => `${uid}/team-${place}`));
  const wrongs: string[] = [];
  if (JSON.stringify(shown) !== JSON.stringify(expected)) wrongs.push(`${shown.length} namespaces, or not in order`);
  const uids = namespaces.map(({ databases }) => databases.map(({ databaseInfo: { uid } }) => uid));
  if (new Set(uids.flat()).size !== clusters.length * objectsOfCluster) wrongs.push('objects are missing');
  if (uids.flat().length !== clusters.length * objectsOfCluster) wrongs.push('objects are there twice');
  if (uids.some((own) => JSON.stringify(own) !== JSON.stringify(own.toSorted()))) wrongs.push('objects are not in order');
  if (namespaces.some(({ namespaceInfo }) => namespaceInfo.clientOrgID !== clientId)) wrongs.push('another client');
  const isRight = ({ podDetails: [pods], volumeDetails: [volume] }: Report['databases'][number]) =>
    pods?.count === 2 && volume?.expansions.length === versions - 1;
  if (!namespaces.every(({ databases }) => databases.every(isRight))) wrongs.push('wrong pods or volumes');
  return wrongs;
}

/** Stores databases with the rows that three events leave; the volume of a database grows with each event. */
async function storeDatabases(rows: Database, ownerId: number, clusters: readonly string[], clientId: number) {
  await rows.transact(async (transaction) => {
    await transaction.execute(sql`
      insert into metered_object (
        owner_id, cluster_uid, product, object_uid, first_at, created_at, api_group, kind, namespace, namespace_uid,
        client_org_id, name, due_from, due_since
      )
      select ${ownerId}, uid, 'productdb', md5(uid::text || ' ' || number)::uuid::text, now() - interval '90 days',
             now() - interval '90 days', 'kubedb.com', 'Postgres', 'team-' || number % ${namespacesOfCluster}::integer,
             md5(uid::text || number % ${namespacesOfCluster}::integer), ${String(clientId)}, 'orders-' || number,
             '-infinity', now()
        from unnest(${clusters}::uuid[]) uid, generate_series(1, ${objectsOfCluster}::integer) number`);
    await transaction.execute(sql`analyze metered_object`);
    await transaction.execute(sql`
      with reported as (
        insert into reported_object (owner_id, cluster_uid, product_name, api_group, resource, subject, versions)
        select owner_id, cluster_uid, product, '', 'all', object_uid, ${versions}
          from metered_object where owner_id = ${ownerId}
        returning id, cluster_uid, subject
      )
      insert into object_version (
        object_id, version, identity, type, licence_id, generation, seen, received_at, last_received_at, metered_id,
        owner_id, cpu, memory, storage, replicas, mode, resource_trial, detail
      )
      select reported.id, version, int8send(version), 'updated', '', version,
             tstzmultirange(tstzrange(begun, begun + interval '30 days')), begun, begun, object.id, ${ownerId},
             0, 0, 0, 1, '', false, jsonb_build_object(
               'group', 'kubedb.com', 'kind', 'Postgres', 'name', object.name, 'namespace', object.namespace,
               'namespaceUid', object.namespace_uid, 'clientOrgId', object.client_org_id, 'createdAt', '',
               'namespaceMetadata', '{}'::jsonb,
               'namespaceCreatedAt', '2026-01-01T00:00:00Z',
               'pods', (
                 select jsonb_agg(jsonb_build_object(
                          'uid', 'pod-' || pod, 'name', 'pod-' || pod, 'creationTimestamp', '2026-01-02T00:00:00Z',
                          'containers', '[{"name": "db", "resource": {"limits": {"cpu": "1", "memory": "1Gi"}}}]'::jsonb))
                   from generate_series(1, 2) pod
               ),
               'volumes', jsonb_build_array(jsonb_build_object(
                 'uid', 'data', 'name', 'data', 'creationTimestamp', '2026-01-02T00:00:00Z',
                 'resources', jsonb_build_object('requests', jsonb_build_object('storage', version || '0Gi'))))
             )
        from reported join metered_object object
          on (object.owner_id, object.cluster_uid, object.product, object.object_uid)
           = (${ownerId}, reported.cluster_uid, 'productdb', reported.subject)
       cross join generate_series(1, ${versions}::integer) version
       cross join lateral (select now() - interval '90 days' + (version - 1) * interval '30 days' as begun) life
       order by version, reported.id`);
  }, { deadline: deadlineIn(300_000), statementTimeout: 300_000 });
  await rows.execute(sql`analyze metered_object, object_version, reported_object`);
}
