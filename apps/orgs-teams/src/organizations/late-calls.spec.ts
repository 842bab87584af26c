import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, sql } from '@platform/postgres';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { ClientOrganizationAdminServiceService } from '@platform/proto/orgs/v1/client_organization';
import {
  as, http, rpcClient, type StartedService, startService, testDatabase, testSecret, tcpProxy, until,
} from '@platform/testing';
import { operator, reasonOf, startPlatform, type TestPlatform, type TestUser } from '../fixtures/platform.ts';

let platform: TestPlatform;
let clusters: StartedService;
let clusterRows: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  platform = await startPlatform({ ownProcess: 'stopped and killed' });
  clusterRows = await testDatabase('clusters');
  clusters = await startService('clusters', {
    ...clusterRows.settings,
    'secrets.serviceCredential': platform.serviceCredential,
    'services.orgsTeams': platform.service.addressList('grpc'),
    'services.authz': platform.authz.addressList('grpc'),
    'services.contractsLicensing': '127.0.0.1:9',
    'secrets.encryptionKeys': testSecret(),
  });
}, 90_000);
afterAll(() => platform[Symbol.asyncDispose]());

/** A replica of orgs-teams that reaches clusters at this address. */
async function replicaThrough(address: string) {
  const replica = await platform.startAnother({ 'services.clusters': address });
  const internal = { serviceCredential: platform.serviceCredential };
  const [admin, clients] = await Promise.all([
    rpcClient(AdminServiceService, replica, internal),
    rpcClient(ClientOrganizationAdminServiceService, replica, internal),
  ]);
  const remove = ({ name }: TestUser) =>
    reasonOf(admin.deleteUser({ username: name, leaveOrganizations: false }, as(undefined, 20_000)));
  return { replica, remove, clients };
}

async function owners() {
  return rpcClient(ClusterOwnerServiceService, clusters, { serviceCredential: platform.serviceCredential });
}

/** A cluster given to an account: `OK`, or why not. */
async function give(ownerId: number): Promise<string> {
  const cluster = { uid: randomUUID(), ownerId, name: `lab-${randomUUID()}`, displayName: '' };
  return reasonOf((await owners()).putClusters({ clusters: [cluster] }, operator()));
}

/** How many calls of CloseOwner clusters has answered. */
async function closes(): Promise<number> {
  const { text } = await http(`http://${clusters.addresses['admin']!}`).get('/metrics');
  const counts = text.matchAll(/^rpc_server_requests_total\{.*OwnerService\.CloseOwner.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('deletions of one account that overlap (authorization.md W5)', () => {
  it('leave it open when the first arrives after the second was given up, and its replica is killed', async () => {
    const link = await tcpProxy(clusters.addressList('grpc'));
    const [slow, quick] = await Promise.all([
      replicaThrough(link.address), replicaThrough(clusters.addressList('grpc')),
    ]);
    // Its connection to clusters is open from now on.
    expect(await slow.remove(await platform.user())).toBe('OK');
    const user = await platform.user();
    expect(await give(user.id)).toBe('OK');

    link.hold();
    const sent = link.bytes.fromClients;
    const late = slow.remove(user).catch(() => 'lost');
    await until(() => link.bytes.fromClients > sent, { what: 'CloseOwner is on its way' });
    const [{ pid }] = slow.replica.replicas;
    process.kill(pid, 'SIGSTOP');
    await platform.database.execute(sql`
      update account set closing_at = closing_at - interval '2 minutes' where id = ${user.id}`);
    expect(await quick.remove(user)).toBe('ORG_IN_USE');
    const answered = await closes();
    await link.release();
    await until(async () => (await closes()) > answered, { what: 'the late CloseOwner is answered' });
    await slow.replica.replicas[0].kill();
    await late;

    expect(await give(user.id)).toBe('OK');
    expect(await quick.remove(user)).toBe('ORG_IN_USE');
  }, 90_000);

  it('of a client organization have one outcome, however late a call is', async () => {
    const { clients } = await replicaThrough(clusters.addressList('grpc'));
    const owner = await platform.user();
    const { id } = await clients.createClientOrganization({
      creation: randomUUID(), name: 'late-client', fullName: '', description: '', website: '', location: '',
      visibility: 'private', managerEndpoint: '', owner: owner.name, email: '',
    }, operator());
    const { url, schema } = clusterRows;
    await using rows = connect({ url, schema, applicationName: 'spec', maxConnections: 2 });
    const close = (deletion: string) => reasonOf(clients.closeClientOrganization({ id, deletion }, operator()));
    const isOpen = async () => (await give(id)) === 'OK';

    // What only contracts hold keeps it; here nothing does, so each deletion is certain at once, under any name.
    expect(await Promise.all([close('first'), close('first'), close('first')])).toEqual(['OK', 'OK', 'OK']);
    expect(await isOpen()).toBe(false);
    // As one that was refused leaves it: its late calls are refused, too, and close nothing.
    await platform.database.execute(sql`
      update organization set deletion_outcome = 'refused', deleting_at = null where id = ${id}`);
    await rows.execute(sql`delete from closed_owner where owner_id = ${id}`);
    expect(await close('first')).toBe('ORG_IN_USE');
    expect(await isOpen()).toBe(true);
    expect(await close('second')).toBe('OK');
    expect([await close('first'), await isOpen()]).toEqual(['OK', false]);
    // The end of the deletion fails, since the cluster is still there; the account stays closed.
    expect(await reasonOf(clients.deleteClientOrganization({ id }, operator()))).toBe('ORG_IN_USE');
    expect(await isOpen()).toBe(false);
  }, 60_000);
});
