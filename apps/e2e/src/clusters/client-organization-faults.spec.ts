import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type TcpProxy, tcpProxy, testLab, until } from '@platform/testing';
import { outcome, type PeopledOrganization } from '../orgs/world.ts';
import { type AnsweringHub, answeringHub } from './answering-hub.ts';
import { type HubWorld, startHubWorld } from './hub-world.ts';

let hub: HubWorld;
let proxy: TcpProxy;
/** Answers in place of the hub. */
let other: AnsweringHub;
/** The organization that has imported the hub through the proxy. */
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
  other = await answeringHub();
  globex = await hub.world.organizationWith(0);
  await hub.importHub(
    globex.organization.username, 'hub', hub.hubKubeconfig.replace(cluster.server, `https://${proxy.address}`),
  );
}, 180_000);
afterAll(async () => {
  await other?.[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
});
afterEach(() => proxy.release());

const nameOf = () => `${hub.prefix}-fault-${(made += 1)}`;
const admin = () => hub.world.siteAdmin.http;
const post = (path: string, json: unknown) => admin().post(`/api/v1/user/client/${path}`, { json, within: 40_000 });
const remove = (id: number) => admin().send('DELETE', `/api/v1/user/client/delete/${id}`, { within: 30_000 });
/** Empty while the service is unavailable. */
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
    // The account still exists, and its name is taken.
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

it('a hub that refuses all changes creates nothing, and holds up a deletion until it takes them again', async () => {
  const [name, never] = [nameOf(), nameOf()];
  const { id } = (await post('create', params(name, globex))).json<{ id: number }>();
  const work = `/apis/work.open-cluster-management.io/v1/namespaces/${spoke}/manifestworks/client-org-${id}`;
  await until(() => hub.find(work), { within: 30_000, what: 'the hub has the work' });
  let [status, refused] = [409, 0];
  other.answer = (method) => {
    if (method === 'GET') return undefined;
    refused += 1;
    return { status, headers: { 'retry-after': '7' }, body: '{}' };
  };
  proxy.divert(other.address);
  for (const [answered, expected] of [[429, '503 unavailable'], [401, '502 bad_upstream'], [409, '409 conflict']] as const) {
    status = answered;
    const answer = await post('create', params(never, globex));
    expect(outcome(answer)).toBe(expected);
    if (answered === 429) expect(answer.header('retry-after')).toBe('7');
    expect(await statusOf(never)).toBe('NotFound');
  }
  expect(outcome(await remove(id))).toBe('200');
  const before = refused;
  // Each run of the job tries a conflict three times.
  await until(() => refused > before + 3, { within: 60_000, what: 'the deletion is tried again' });
  expect(await statusOf(name)).toBe('Deleting');
  expect(outcome(await hub.get('/clustersets'))).toBe('200');
  await proxy.release();
  await untilStatus(name, 'Deleted');
}, 180_000);
