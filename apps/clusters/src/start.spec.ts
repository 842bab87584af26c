import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { Secret } from '@platform/service';
import {
  freePort, http, ServiceNotStarted, type ServiceSettings, startService, tcpProxy, testDatabase, testSecret, until,
} from '@platform/testing';
import { call, clustersClient } from './spec-client.ts';

const credential = new Secret(testSecret());
const operator = new Secret(testSecret());

/** Nobody listens where orgs-teams and authz should: this service starts, is ready and answers without them. */
const alone: ServiceSettings = {
  'secrets.serviceCredential': credential.reveal(),
  'secrets.operatorCredential': operator.reveal(),
  'services.orgsTeams': '127.0.0.1:9',
  'services.authz': '127.0.0.1:9',
};
const cluster = (ownerId: number) => ({ uid: randomUUID(), ownerId, name: 'lab', displayName: '' });

describe('the clusters service', () => {
  it('brings an empty schema up to date, with ids from 1', async () => {
    const empty = await testDatabase('clusters', { migrations: '/nonexistent' });
    await using service = await startService('clusters', { ...empty.settings, ...alone }, { replicas: 2 });
    await using clusters = await clustersClient(service.addressList('grpc'), credential);
    const { clusters: added } = await clusters.putClusters({ clusters: [cluster(1)] }, call());
    expect(added).toMatchObject([{ id: 1 }]);
  });

  it('knows after a kill what it knew before', async () => {
    const database = await testDatabase('clusters');
    await using service = await startService('clusters', { ...database.settings, ...alone });
    await using clusters = await clustersClient(service.addresses['grpc'], credential);
    const { clusters: [first] } = await clusters.putClusters({ clusters: [cluster(1)] }, call());
    await clusters.closeOwner({ ownerId: 2 }, call());
    await service.replicas[0].kill();
    await expect(clusters.closeOwner({ ownerId: 2 }, call())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await service.replicas[0].restart();
    const resolve = () => clusters.resolveOwners({ type: 'cluster', ids: [first!.id] }, call());
    const { owners } = await until(resolve, { what: 'the service is found again' });
    expect(owners).toMatchObject([{ id: first!.id, ownerId: 1 }]);
    const attempt = clusters.putClusters({ clusters: [cluster(2)] }, call());
    await expect(attempt).rejects.toMatchObject({ reason: 'CONFLICT' });
  });

  it('answers what it has accepted before it stops', async () => {
    const database = await testDatabase('clusters');
    await using service = await startService('clusters', { ...database.settings, ...alone });
    await using clusters = await clustersClient(service.addresses['grpc'], credential);
    await clusters.resolveOwners({ type: 'cluster', ids: [1] }, call());
    const puts = Array.from({ length: 20 }, () =>
      clusters.putClusters({ clusters: Array.from({ length: 100 }, () => cluster(1)) }, call()));
    await Promise.race(puts);
    const stopped = service.replicas[0].stop();
    const answers = await Promise.allSettled(puts);
    await expect(stopped).resolves.toEqual({ code: 0, signal: null });
    expect(answers.map(({ status }) => status)).toEqual(puts.map(() => 'fulfilled'));
  });

  it('lets nobody in without the credential of the services or of the operator', async () => {
    const database = await testDatabase('clusters');
    await using service = await startService('clusters', { ...database.settings, ...alone });
    await using stranger = await clustersClient(service.addresses['grpc'], new Secret(testSecret()));
    await using byOperator = await clustersClient(service.addresses['grpc'], operator);
    const methods = Object.keys(ClusterOwnerServiceService) as (keyof typeof ClusterOwnerServiceService)[];
    expect(methods).toHaveLength(6);
    const any = { type: 'cluster', ids: [1], clusters: [], ownerId: 1, id: 1 };
    for (const method of methods) {
      const attempt = stranger[method](any as never, call());
      await expect(attempt).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    }
    await expect(byOperator.closeOwner({ ownerId: 1 }, call())).resolves.toEqual({ held: 0 });
  });

  it('is ready while PostgreSQL answers, and says what it does', async () => {
    const database = await testDatabase('clusters');
    const url = new URL(database.url);
    const postgres = await tcpProxy(url.host);
    url.host = postgres.address;
    await using service = await startService('clusters', { ...alone, 'postgres.url': url.href });
    await using clusters = await clustersClient(service.addresses['grpc'], credential);
    const admin = http(`http://${service.addresses['admin']}`);
    await expect(admin.get('/readyz')).resolves.toMatchObject({ status: 200 });

    await postgres.refuse();
    await expect(admin.get('/readyz')).resolves.toMatchObject({ status: 503 });
    await expect(admin.get('/livez')).resolves.toMatchObject({ status: 200 });
    await expect(clusters.closeOwner({ ownerId: 1 }, call())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });

    await postgres.release();
    await expect(clusters.closeOwner({ ownerId: 1 }, call())).resolves.toEqual({ held: 0 });
    await expect(admin.get('/readyz')).resolves.toMatchObject({ status: 200 });
    const metrics = (await admin.get('/metrics')).body.toString();
    expect(metrics).toMatch(/rpc_server_requests_total\{.*ClusterOwnerService\.CloseOwner.*reason="OK".*\} 1/);
  });

  it('waits for PostgreSQL at its start, and says so', async () => {
    const database = await testDatabase('clusters');
    const url = new URL(database.url);
    const postgres = await tcpProxy(url.host);
    url.host = postgres.address;
    postgres.hold();
    const adminAddress = `127.0.0.1:${await freePort()}`;
    const starting = startService('clusters', { ...alone, 'postgres.url': url.href, 'admin.listen': adminAddress });
    await until(() => postgres.connections.total, { within: 20_000, what: 'the start asks for PostgreSQL' });
    const admin = http(`http://${adminAddress}`);
    await expect(admin.get('/livez')).resolves.toMatchObject({ status: 200 });
    await expect(admin.get('/readyz')).resolves.toMatchObject({ status: 503 });

    postgres.cut();
    await postgres.release();
    await using service = await starting;
    await expect(admin.get('/readyz')).resolves.toMatchObject({ status: 200 });
    const lines = service.replicas[0].log.map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', attempt: 1 }));
    await using clusters = await clustersClient(service.addresses['grpc'], credential);
    await expect(clusters.closeOwner({ ownerId: 1 }, call())).resolves.toEqual({ held: 0 });
  });

  it('does not start without what it needs to be told, and names all of it', async () => {
    const settings: ServiceSettings = { 'postgres.url': 'mysql://127.0.0.1/clusters', 'stop.timeout': 'soon' };
    const starting = startService('clusters', settings);
    const refused: unknown = await starting.catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ServiceNotStarted);
    const { exit, log } = refused as ServiceNotStarted;
    expect(exit).toEqual({ code: 1, signal: null });
    const { problems } = JSON.parse(log.find((line) => line.includes('"problems"')) ?? '{}');
    expect(problems.map(({ key }: { key: string }) => key).sort()).toEqual([
      'postgres.url', 'secrets.serviceCredential', 'services.authz', 'services.orgsTeams', 'stop.timeout',
    ]);
  });
});
