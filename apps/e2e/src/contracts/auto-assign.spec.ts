import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClusterAdminServiceService } from '@platform/proto/clusters/v1/cluster';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import type { RpcClient } from '@platform/rpc';
import { rpcClient, until } from '@platform/testing';
import { specCall } from '../operator.ts';
import { adminCommand } from '../operator-command.ts';
import { outcome, type Person } from '../orgs/world.ts';
import { type ContractWorld, day, inSeconds, ok, type ShownContract, startContractWorld } from './contract-world.ts';

let world: ContractWorld, clusters: RpcClient<typeof ClusterOwnerServiceService>;

beforeAll(async () => {
  world = await startContractWorld({ ownProcess: { of: ['contracts-licensing'], because: 'killed' } });
  clusters = await rpcClient(ClusterOwnerServiceService, world.platform.services.clusters, world.platform);
});
afterAll(async () => world[Symbol.asyncDispose]());

async function importCluster(ownerId: number, uid: string, displayName = 'Lab'): Promise<number> {
  const answer = await clusters.putClusters({ clusters: [{ uid, ownerId, name: uid, displayName }] }, specCall());
  return answer.clusters[0]!.id;
}

const contractOf = async (id: number) => ok<ShownContract>(await world.siteAdmin.http.get(`/api/v1/contracts/${id}`));
const boundTo = async (id: number) => (await contractOf(id)).clusters.map(({ cluster }) => cluster);
/** Imported clusters of the user that are not bound to the contract. */
const offeredTo = async ({ http }: Person, id: number) => ok<{ uid: string; ownerName: string }[]>(
  await http.get(`/api/v1/user/contracts/${id}/clusters/imported/non-associated`));
const patience = { within: 30_000, what: 'the facts have arrived' };

describe('an imported cluster', () => {
  it('is bound once to each active contract of its owner that has the flag', async () => {
    const [user, other] = [await world.person(), await world.person()];
    await importCluster(user.id, randomUUID());
    const flag = { autoAssignCluster: true };
    const [one, two, without, later, foreign] = [
      await world.contract(user.id, flag), await world.contract(user.id, { ...flag, products: ['productdb'] }),
      await world.contract(user.id), await world.contract(user.id, { ...flag, start: inSeconds(day), end: inSeconds(2 * day) }),
      await world.contract(other.id, flag),
    ];
    const uid = randomUUID();
    const id = await importCluster(user.id, uid);
    await until(async () => (await boundTo(two.id)).includes(uid), patience);
    expect(await boundTo(one.id)).toEqual([uid]);
    for (const contract of [without, later, foreign]) expect(await boundTo(contract.id)).toEqual([]);
    expect(await world.events(one.id)).toEqual(['platform-admin contract.created', `system cluster.added ${uid}`]);
    const [bound] = (await contractOf(one.id)).clusters;
    expect(bound).toMatchObject({ displayName: 'Lab', clusterStatus: { isImported: true, name: uid } });

    // A cluster that was removed from the contract does not come back: neither when it changes, nor when all facts are
    // read again.
    expect(outcome(await world.siteAdmin.http.delete(`/api/v1/contracts/${one.id}/clusters/${bound!.id}`))).toBe('200');
    const last = randomUUID();
    await importCluster(user.id, uid, 'Renamed');
    const [replica] = world.platform.services['contracts-licensing'].replicas;
    await replica.kill();
    await replica.restart();
    await importCluster(user.id, last);
    await until(async () => (await boundTo(two.id).catch((): string[] => [])).includes(last), patience);
    expect(await boundTo(one.id)).toEqual([last]);

    // A cluster that was moved to another account and removed from the registry stays bound.
    await clusters.moveCluster({ id, ownerId: other.id }, specCall());
    await until(async () => (await contractOf(two.id)).clusters.some(({ cluster, clusterStatus }) =>
      cluster === uid && !clusterStatus.isImported), patience);
    expect(await boundTo(foreign.id)).toEqual([]);
  });

  it('is offered until it is removed from the registry', async () => {
    const user = await world.person();
    const { id: contract } = await world.contract(user.id);
    const uid = randomUUID();
    await importCluster(user.id, uid);
    const offered = () => offeredTo(user, contract);
    await until(async () => (await offered()).length === 1, patience);
    expect(await offered()).toMatchObject([{ uid, ownerName: user.username }]);
    const registry = await rpcClient(ClusterAdminServiceService, world.platform.services.clusters, world.platform);
    await registry.removeCluster({ owner: user.username, name: uid, force: false }, specCall());
    await until(async () => (await offered()).length === 0, patience);
  });
});

describe('platform admin cluster', () => {
  it('returns when contracts show what it has done', async () => {
    const user = await world.person();
    const [taker, other] = [await world.contract(user.id, { autoAssignCluster: true }), await world.contract(user.id)];
    const uid = randomUUID();
    const command = (verb: string, argv: string[] = [], given = {}) =>
      adminCommand(world.platform, ['cluster', verb, '--owner', user.username, '--name', 'lab', ...argv], given);
    const offered = async () => (await offeredTo(user, other.id)).map((cluster) => cluster.uid);
    // Billing cannot show the change. The command prints the completed steps, so that the operator does not repeat a
    // step that must not be repeated.
    const away = { PLATFORM_SERVICES_BILLING_DASHBOARD: '127.0.0.1:9' };
    expect(await command('import', ['--uid', uid], away)).toMatchObject({
      code: 1, stderr: expect.stringMatching(/^Cluster \d+: lab of .* is imported, but billing-dashboard does not show the change yet/),
    });
    expect(await command('import', ['--uid', uid])).toMatchObject({ code: 0, answer: { uid, name: 'lab' } });
    expect([await boundTo(taker.id), await offered()]).toEqual([[uid], [uid]]);
    expect(await command('remove')).toMatchObject({ code: 1, stderr: expect.stringContaining(String(taker.id)) });
    const heir = await world.person();
    expect(await command('move', ['--to', 'nobody-here'])).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody-here') });
    expect(await command('move', ['--to', heir.username.toUpperCase()])).toMatchObject({
      code: 0, answer: { id: expect.any(Number), uid, name: 'lab', owner: heir.username },
    });
    expect(await offered()).toEqual([]);
    expect(await command('move', ['--to', heir.username])).toMatchObject({ code: 1, stderr: expect.stringContaining('lab') });
    const back = ['cluster', 'move', '--owner', heir.username, '--name', 'lab', '--to', user.username];
    expect(await adminCommand(world.platform, back)).toMatchObject({ code: 0, answer: { uid, owner: user.username } });
    expect(await offered()).toEqual([uid]);
    expect(await command('remove', ['--force'])).toMatchObject({ code: 0, answer: { removed: true } });
    expect(await offered()).toEqual([]);
    expect((await contractOf(taker.id)).clusters).toMatchObject([{ cluster: uid, clusterStatus: { isImported: false } }]);
  }, 120_000);
});

describe('an account that is deleted', () => {
  it('takes its contracts along', async () => {
    const boss = await world.person();
    const organization = await world.organization(boss);
    const { id } = await world.contract(organization.id);
    expect(outcome(await world.siteAdmin.http.post(`/api/v1/contracts/${id}/revoke`))).toBe('200');
    expect(outcome(await boss.http.delete(`/api/v1/orgs/${organization.username}`))).toBe('204');
    await until(async () => outcome(await world.siteAdmin.http.get(`/api/v1/contracts/${id}`)) === '404 not_found', patience);
  });
});

describe('the contracts of the command line', () => {
  it('are those of one account or of all', async () => {
    const user = await world.person();
    const uid = randomUUID();
    const { id } = await world.contract(user.id, { clusters: [{ cluster: uid }] });
    const { services } = world.platform;
    const client = await rpcClient(ContractOwnerServiceService, services['contracts-licensing'], world.platform);
    const { contracts, next } = await client.listOwnedContracts({ owner: user.username.toUpperCase() }, specCall());
    expect([contracts, next]).toEqual([[expect.objectContaining({ id, owner: user.username, clusters: [uid] })], undefined]);
    expect((await client.listOwnedContracts({}, specCall())).contracts.map((contract) => contract.id)).toContain(id);
    await expect(client.listOwnedContracts({ owner: 'nobody-at-all' }, specCall())).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  });

  it('goes to another account', async () => {
    const [user, heir] = [await world.person(), await world.person()];
    const { id } = await world.contract(user.id);
    const move = (contract: number, to: string) => adminCommand(world.platform, ['contract', 'move', String(contract), '--to', to]);
    expect(await move(id, 'nobody-here')).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody-here') });
    expect(await move(999_999, heir.username)).toMatchObject({ code: 1 });
    expect(await move(id, heir.username)).toMatchObject({ code: 0, answer: { id, owner: heir.username } });
    expect(outcome(await user.http.get(`/api/v1/user/contracts/${id}`))).toBe('404 not_found');
    expect(ok<ShownContract>(await heir.http.get(`/api/v1/user/contracts/${id}`)).id).toBe(id);
  });
});
