import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { type HttpAnswer, type TcpProxy, tcpProxy, testLab, until } from '@platform/testing';
import { outcome, type PeopledOrganization } from '../orgs/world.ts';
import { type HubWorld, startHubWorld } from './hub-world.ts';

let hub: HubWorld;
let proxy: TcpProxy;
/** Who has imported the hub through the proxy. */
let globex: PeopledOrganization;
let spoke: string;
let hubUid: string;
let made = 0;

beforeAll(async () => {
  hub = await startHubWorld();
  const lab = await testLab();
  [spoke, hubUid] = [lab.spokes[0]!.name, lab.hub.uid];
  const { clusters: [{ cluster }] } = JSON.parse(hub.hubKubeconfig) as { clusters: [{ cluster: { server: string } }] };
  proxy = await tcpProxy(cluster.server);
  globex = await hub.world.organizationWith(0);
  await hub.importHub(
    globex.organization.username, 'hub', hub.hubKubeconfig.replace(cluster.server, `https://${proxy.address}`),
  );
}, 180_000);
afterAll(async () => {
  await hub?.[Symbol.asyncDispose]();
});
afterEach(() => proxy.release());

const nameOf = () => `${hub.prefix}-fault-${(made += 1)}`;
const admin = () => hub.world.siteAdmin.http;
const post = (path: string, json: unknown) => admin().post(`/api/v1/user/client/${path}`, { json, within: 40_000 });
const remove = (id: number) => admin().send('DELETE', `/api/v1/user/client/delete/${id}`, { within: 30_000 });
/** Empty while the service is away. */
const statusOf = async (name: string) => {
  const answer = await admin().get(`/api/v1/user/client/${name}/status`);
  return answer.status === 200 ? answer.json<{ status: string }>().status : '';
};
const untilStatus = (name: string, wanted: string) =>
  until(async () => await statusOf(name) === wanted, { within: 90_000, what: `${name} is ${wanted}` });

function params(name: string, owner: PeopledOrganization, importCluster = true) {
  return {
    clientOrg: { orgName: name }, hubClusterUID: hubUid, hubClusterOwnerName: owner.organization.username,
    userPermission: {
      userName: `${name}-boss`, email: 'boss@example.org', importCluster,
      permissions: [{ name: spoke, roleRefName: 'platform:viewer' }],
    },
  };
}

async function works(): Promise<string[]> {
  const path = `/apis/work.open-cluster-management.io/v1/namespaces/${spoke}/manifestworks`;
  type Works = { items: { metadata: { name: string } }[] };
  return (await hub.api.call('GET', path) as Works).items.map(({ metadata }) => metadata.name);
}

describe('while the hub is away', () => {
  it('nothing is created or added, and a deletion is accepted and done later', async () => {
    const [name, never] = [nameOf(), nameOf()];
    const created = await post('create', params(name, globex));
    expect(outcome(created)).toBe('200');
    await proxy.refuse();
    expect(outcome(await post('create', params(never, globex)))).toBe('503 unavailable');
    expect(await statusOf(never)).toBe('NotFound');
    expect(outcome(await remove(created.json<{ id: number }>().id))).toBe('200');
    expect(await statusOf(name)).toBe('Deleting');
    // It is still an account, and its name is taken.
    expect(outcome(await admin().get(`/api/v1/orgs/${name}`))).toBe('200');
    expect(outcome(await post('create', params(name, hub.acme)))).toBe('409 already_exists');
    expect(outcome(await admin().post(`/api/v1/orgs/${name}/teams`, { json: { name: 'late', type: 'kubernetes' } })))
      .toBe('409 conflict');
    await proxy.release();
    await untilStatus(name, 'Deleted');
    expect(await statusOf(never)).toBe('NotFound');
  }, 120_000);

  it('a hub that is slow is given up, and nothing appears later', async () => {
    const [name, later] = [nameOf(), nameOf()];
    const { id } = (await post('create', params(name, globex, false))).json<{ id: number }>();
    proxy.hold();
    const named = {
      hubClusterOwnerName: globex.organization.username, hubClusterName: 'hub', hubClusterUID: hubUid, spokeClusterName: spoke,
    };
    const [created, added] = await Promise.all([
      post('create', params(later, globex)), post(`${name}/add-cluster`, named),
    ]);
    expect([outcome(created), outcome(added)]).toEqual(['504 deadline_exceeded', '504 deadline_exceeded']);
    await proxy.release();
    expect([await statusOf(later), await statusOf(name)]).toEqual(['NotFound', 'Active']);
    expect(outcome(await remove(id))).toBe('200');
    expect(await statusOf(name)).toBe('Deleted');
  }, 60_000);
});

it('after kills in the middle of creations and deletions there is each organization or nothing of it', async () => {
  const [clusters] = hub.world.platform.services.clusters.replicas;
  const { url, schema } = hub.world.platform.databases.clusters;
  await using rows = connect({ url, schema, applicationName: 'spec', maxConnections: 1 });
  /** Kills the service once it has stored this step of one of the organizations. */
  const killAt = async (step: string, among: readonly string[]) => {
    const there = () => rows.maybeOne(sql<object>`
      select from client_organization where state = ${step} and name = any (${among}::text[]) limit 1`);
    const kill = async () => {
      await until(there, { within: 30_000, what: `the step ${step} is stored` });
      await clusters.kill();
    };
    if (step !== 'creating') await kill();
    // Its next step is one of orgs-teams, which waits for this lock.
    else await hub.world.database.transact(async (transaction) => {
      await transaction.execute(sql`lock table client_organization_creation in access exclusive mode`);
      await kill();
    }, { deadline: deadlineIn(30_000) });
    await clusters.restart();
  };
  const names: string[] = [];
  for (const step of ['creating', 'active', 'creating']) {
    const round = [nameOf(), nameOf()];
    names.push(...round);
    const answers = round.map((name) => post('create', params(name, hub.acme)).catch((): undefined => undefined));
    await killAt(step, round);
    await Promise.all(answers as Promise<HttpAnswer | undefined>[]);
  }
  const clients = async () => {
    const answer = await admin().get('/api/v1/user/clients');
    const all = answer.json<{ id: number; username: string }[]>();
    return new Map(all.map(({ id, username }) => [username, id]));
  };
  // Every creation has an outcome: an account with a status, or neither.
  const settled = async () => {
    const accounts = await clients();
    const states = await Promise.all(names.map(statusOf));
    const taken = await Promise.all(names.map(async (name) => (await admin().get(`/api/v1/orgs/${name}`)).status === 200));
    const ends = names.map((name, index) => [accounts.has(name), taken[index], states[index]].join());
    return ends.every((end) => end === 'true,true,Active' || end === 'false,false,NotFound');
  };
  await until(settled, { within: 90_000, what: 'each creation is settled' });
  const accounts = [...await clients()].filter(([name]) => names.includes(name));
  const expected = accounts.map(([, id]) => `client-org-${id}`);
  await until(async () => {
    const there = await works();
    return expected.every((work) => there.includes(work));
  }, { within: 60_000, what: 'each organization has its work' });
  const deletions = accounts.map(([, id]) => remove(id).catch((): undefined => undefined));
  await killAt('deleting', names);
  await Promise.all(deletions as Promise<HttpAnswer | undefined>[]);
  for (const [, id] of accounts) {
    await until(async () => /^(200|404 not_found)$/.test(outcome(await remove(id))), { within: 60_000, what: 'it is deleted' });
  }
  for (const [name] of accounts) await untilStatus(name, 'Deleted');
  const left = await works();
  expect(left.filter((work) => expected.includes(work))).toEqual([]);
  expect((await clients()).size).toBe(0);
}, 240_000);
