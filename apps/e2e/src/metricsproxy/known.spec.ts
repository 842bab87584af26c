import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { http, type HttpClient, startService, tcpProxy, type TcpProxy, testBus, until } from '@platform/testing';
import { outcome } from '../orgs/world.ts';
import {
  bearer, type ClusterOwner, type MetricsWorld, ok, queryOf, register, startMetricsWorld, unregister,
} from './metrics-world.ts';
import { startBackend, type TestBackend } from './test-backend.ts';

let world: MetricsWorld;
let backend: TestBackend;
/** The connections of a replica of metricsproxy to PostgreSQL, orgs-teams, authz and clusters. */
let links: readonly TcpProxy[];
let client: HttpClient;

beforeAll(async () => {
  const { settings } = await testBus();
  world = await startMetricsWorld({ settings });
  backend = await startBackend();
  const { databases, grpc, settings: given } = world.platform;
  const url = new URL(databases.metricsproxy.url);
  links = await Promise.all([url.host, grpc['orgs-teams'], grpc.authz, grpc.clusters].map(tcpProxy));
  const [postgres, orgsTeams, authz, clusters] = links.map(({ address }) => address) as [string, string, string, string];
  url.host = postgres;
  const replica = await startService('metricsproxy', {
    ...given.metricsproxy, 'postgres.url': url.href,
    'services.orgsTeams': orgsTeams, 'services.authz': authz, 'services.clusters': clusters,
  });
  client = http(`http://${replica.addresses['proxy']}`);
}, 60_000);
afterAll(async () => {
  await backend?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

/** Registers a backend, and asks until the answer comes from memory alone. */
async function knownOwner() {
  const owner = await world.owner();
  ok(await owner.post(register, { backend: { url: backend.url } }));
  const query = (within: number) =>
    client.get(queryOf(owner.identity), { ...bearer(owner.boss.token), within }).then(outcome);
  await until(async () => {
    expect(await query(10_000)).toBe('200');
    for (const link of links) link.hold();
    const known = await query(500).catch(() => 'not known yet');
    await Promise.all(links.map((link) => link.release()));
    return known === '200';
  }, { what: 'the answer comes from memory alone', within: 20_000 });
  return { ...owner, query: () => query(10_000) };
}

it('a query of a known caller asks no other service and no database', async () => {
  await knownOwner();
}, 60_000);

it('a known caller whose backend is removed has no route, also while the dashboard hangs', async () => {
  const { post, query } = await knownOwner();
  const held = world.grafana.trouble('hold');
  const removal = post(unregister, { backend: undefined });
  await until(() => held.met > 0, { what: 'the removal hangs at the dashboard' });
  expect(await query()).toBe('404 not_found');
  held[Symbol.dispose]();
  expect(outcome(await removal)).toBe('200');
}, 60_000);

it.each<[string, (owner: ClusterOwner) => Promise<unknown>, string]>([
  ['moved', async ({ cluster, boss }) => world.moveCluster(cluster, (await world.organization(boss)).id), '404 not_found'],
  ['removed', ({ cluster }) => world.removeCluster(cluster), '404 not_found'],
])('a known caller whose cluster is %s is refused when that call returns', async (_what, change, expected) => {
  const { query, ...owner } = await knownOwner();
  await change(owner);
  expect(await query()).toBe(expected);
}, 60_000);

it('a known caller whose cluster is moved by a process that announces nothing is refused after the commit', async () => {
  const { query, cluster, boss } = await knownOwner();
  const { id: ownerId } = await world.organization(boss);
  const { url, schema } = world.platform.databases.clusters;
  await using rows = connect({ url, schema, applicationName: 'spec', statementTimeout: 20_000 });
  await rows.transact(async (transaction) => {
    // A replica of an earlier version does not have this setting.
    await transaction.execute(sql`select set_config('platform.leases', '', true)`);
    await transaction.execute(sql`update cluster set owner_id = ${ownerId} where id = ${cluster.id}`);
    expect(await query()).toBe('200');
  }, { deadline: deadlineIn(20_000) });
  expect(await query()).toBe('404 not_found');
}, 60_000);
