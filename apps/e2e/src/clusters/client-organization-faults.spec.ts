import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type TcpProxy, tcpProxy, until } from '@platform/testing';
import { outcome, type PeopledOrganization } from '../orgs/world.ts';
import { type AnsweringHub, answeringHub } from './answering-hub.ts';
import { clientCalls } from './client-calls.ts';
import { type HubWorld, paths, startHubWorld } from './hub-world.ts';

let hub: HubWorld;
let proxy: TcpProxy;
let other: AnsweringHub;
/** The organization that has imported the hub through the proxy. */
let globex: PeopledOrganization;
let spoke: string;
let made = 0;

beforeAll(async () => {
  hub = await startHubWorld();
  spoke = hub.lab.spokes[0]!.name;
  const { clusters: [{ cluster }] } = JSON.parse(hub.hubKubeconfig) as { clusters: [{ cluster: { server: string } }] };
  proxy = await tcpProxy(cluster.server);
  other = await answeringHub();
  globex = await hub.world.organizationWith(0);
  const kubeconfig = hub.hubKubeconfig.replace(cluster.server, `https://${proxy.address}`);
  await hub.importHub(globex.organization.username, 'hub', kubeconfig);
}, 180_000);
afterAll(async () => {
  for (const one of [other, hub]) await one?.[Symbol.asyncDispose]();
});
afterEach(() => proxy.release());

const { post, remove, statusOf, untilStatus, named, params } = clientCalls(() => hub, {
  change: 40_000, removal: 30_000, status: 90_000,
});
const nameOf = () => `${hub.prefix}-fault-${(made += 1)}`;
const create = (name: string, { organization }: PeopledOrganization, importCluster = true) =>
  post('create', params(name, spoke, { owner: organization.username, importCluster }));

describe('while the hub is away', () => {
  it('nothing is created or added, and a deletion is accepted and done later', async () => {
    const [name, never] = [nameOf(), nameOf()];
    const created = await create(name, globex);
    expect(outcome(created)).toBe('200');
    await proxy.refuse();
    expect([outcome(await create(never, globex)), await statusOf(never)]).toEqual(['503 unavailable', 'NotFound']);
    expect(outcome(await remove(created.json<{ id: number }>().id))).toBe('200');
    expect(await statusOf(name)).toBe('Deleting');
    // The account still exists, and its name is taken.
    const { http } = hub.world.siteAdmin;
    expect(outcome(await http.get(`/api/v1/orgs/${name}`))).toBe('200');
    expect(outcome(await create(name, hub.acme))).toBe('409 already_exists');
    const team = { json: { name: 'late', type: 'kubernetes' } };
    expect(outcome(await http.post(`/api/v1/orgs/${name}/teams`, team))).toBe('409 conflict');
    await proxy.release();
    await untilStatus(name, 'Deleted');
    expect(await statusOf(never)).toBe('NotFound');
  }, 120_000);

  it('a hub that is slow is given up, and nothing appears later', async () => {
    const [name, later] = [nameOf(), nameOf()];
    const { id } = (await create(name, globex, false)).json<{ id: number }>();
    proxy.hold();
    const [created, added] = await Promise.all([
      create(later, globex), post(`${name}/add-cluster`, named(spoke, globex.organization.username)),
    ]);
    expect([outcome(created), outcome(added)]).toEqual(['504 deadline_exceeded', '504 deadline_exceeded']);
    await proxy.release();
    expect([await statusOf(later), await statusOf(name)]).toEqual(['NotFound', 'Active']);
    expect([outcome(await remove(id)), await statusOf(name)]).toEqual(['200', 'Deleted']);
  }, 60_000);
});

it('a hub that refuses all changes creates nothing, and holds up a deletion until it takes them again', async () => {
  const [name, never] = [nameOf(), nameOf()];
  const { id } = (await create(name, globex)).json<{ id: number }>();
  const work = `${paths.works(spoke)}/client-org-${id}`;
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
    const answer = await create(never, globex);
    expect(outcome(answer)).toBe(expected);
    if (answered === 429) expect(answer.header('retry-after')).toBe('7');
    expect(await statusOf(never)).toBe('NotFound');
  }
  expect(outcome(await remove(id))).toBe('200');
  const before = refused;
  // Each run of the job tries a conflict three times.
  await until(() => refused > before + 3, { within: 60_000, what: 'the deletion is tried again' });
  expect([await statusOf(name), outcome(await hub.get('/clustersets'))]).toEqual(['Deleting', '200']);
  await proxy.release();
  await untilStatus(name, 'Deleted');
}, 180_000);
