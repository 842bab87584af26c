import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import { Secret } from '@platform/service';
import {
  freePort, http, ServiceNotStarted, type ServiceSettings, startService, tcpProxy, testDatabase, testSecret, until,
} from '@platform/testing';
import { call, contractsClient } from './spec-client.ts';

const credential = new Secret(testSecret());
const operator = new Secret(testSecret());

/** Nobody listens where orgs-teams and authz should: this service starts, is ready and answers without them. */
const alone: ServiceSettings = {
  'secrets.serviceCredential': credential.reveal(),
  'secrets.operatorCredential': operator.reveal(),
  'services.orgsTeams': '127.0.0.1:9',
  'services.authz': '127.0.0.1:9',
};
const contract = (ownerId: number) => ({ idempotencyKey: randomUUID(), ownerId, name: 'Basic' });

describe('the contracts-licensing service', () => {
  it('brings an empty schema up to date, with ids from 1', async () => {
    const empty = await testDatabase('contracts-licensing', { migrations: '/nonexistent' });
    await using service = await startService('contracts-licensing', { ...empty.settings, ...alone }, { replicas: 2 });
    await using contracts = await contractsClient(service.addressList('grpc'), credential);
    const { contracts: added } = await contracts.putContracts({ contracts: [contract(1)] }, call());
    expect(added).toMatchObject([{ id: 1 }]);
  });

  it('knows after a kill what it knew before', async () => {
    const database = await testDatabase('contracts-licensing');
    await using service = await startService('contracts-licensing', { ...database.settings, ...alone });
    await using contracts = await contractsClient(service.addresses['grpc'], credential);
    const { contracts: [first] } = await contracts.putContracts({ contracts: [contract(1)] }, call());
    await contracts.closeOwner({ ownerId: 2 }, call());
    await service.replicas[0].kill();
    await expect(contracts.closeOwner({ ownerId: 2 }, call())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await service.replicas[0].restart();
    const resolve = () => contracts.resolveOwners({ type: 'contract', ids: [first!.id] }, call());
    const { owners } = await until(resolve, { what: 'the service is found again' });
    expect(owners).toMatchObject([{ id: first!.id, ownerId: 1 }]);
    const attempt = contracts.putContracts({ contracts: [contract(2)] }, call());
    await expect(attempt).rejects.toMatchObject({ reason: 'CONFLICT' });
  });

  it('answers what it has accepted before it stops', async () => {
    const database = await testDatabase('contracts-licensing');
    await using service = await startService('contracts-licensing', { ...database.settings, ...alone });
    await using contracts = await contractsClient(service.addresses['grpc'], credential);
    await contracts.resolveOwners({ type: 'contract', ids: [1] }, call());
    const puts = Array.from({ length: 20 }, () =>
      contracts.putContracts({ contracts: Array.from({ length: 100 }, () => contract(1)) }, call()));
    await Promise.race(puts);
    const stopped = service.replicas[0].stop();
    const answers = await Promise.allSettled(puts);
    await expect(stopped).resolves.toEqual({ code: 0, signal: null });
    expect(answers.map(({ status }) => status)).toEqual(puts.map(() => 'fulfilled'));
  });

  it('lets nobody in without the credential of the services or of the operator', async () => {
    const database = await testDatabase('contracts-licensing');
    await using service = await startService('contracts-licensing', { ...database.settings, ...alone });
    await using stranger = await contractsClient(service.addresses['grpc'], new Secret(testSecret()));
    await using byOperator = await contractsClient(service.addresses['grpc'], operator);
    const methods = Object.keys(ContractOwnerServiceService) as (keyof typeof ContractOwnerServiceService)[];
    expect(methods).toHaveLength(6);
    const any = { type: 'contract', ids: [1], contracts: [], ownerId: 1, id: 1 };
    for (const method of methods) {
      const attempt = stranger[method](any as never, call());
      await expect(attempt).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    }
    await expect(byOperator.closeOwner({ ownerId: 1 }, call())).resolves.toEqual({ held: 0 });
  });

  it('is ready while PostgreSQL answers, and says what it does', async () => {
    const database = await testDatabase('contracts-licensing');
    const url = new URL(database.url);
    const postgres = await tcpProxy(url.host);
    url.host = postgres.address;
    await using service = await startService('contracts-licensing', { ...alone, 'postgres.url': url.href });
    await using contracts = await contractsClient(service.addresses['grpc'], credential);
    const admin = http(`http://${service.addresses['admin']}`);
    await expect(admin.get('/readyz')).resolves.toMatchObject({ status: 200 });

    await postgres.refuse();
    await expect(admin.get('/readyz')).resolves.toMatchObject({ status: 503 });
    await expect(admin.get('/livez')).resolves.toMatchObject({ status: 200 });
    await expect(contracts.closeOwner({ ownerId: 1 }, call())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });

    await postgres.release();
    await expect(contracts.closeOwner({ ownerId: 1 }, call())).resolves.toEqual({ held: 0 });
    await expect(admin.get('/readyz')).resolves.toMatchObject({ status: 200 });
    const metrics = (await admin.get('/metrics')).body.toString();
    expect(metrics).toMatch(/rpc_server_requests_total\{.*ContractOwnerService\.CloseOwner.*reason="OK".*\} 1/);
  });

  it('waits for PostgreSQL at its start, and says so', async () => {
    const database = await testDatabase('contracts-licensing');
    const url = new URL(database.url);
    const postgres = await tcpProxy(url.host);
    url.host = postgres.address;
    postgres.hold();
    const adminAddress = `127.0.0.1:${await freePort()}`;
    const settings: ServiceSettings = { ...alone, 'postgres.url': url.href, 'admin.listen': adminAddress };
    const starting = startService('contracts-licensing', settings);
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
    await using contracts = await contractsClient(service.addresses['grpc'], credential);
    await expect(contracts.closeOwner({ ownerId: 1 }, call())).resolves.toEqual({ held: 0 });
  });

  it('does not start without what it needs to be told, and names all of it', async () => {
    const settings: ServiceSettings = { 'postgres.url': 'mysql://127.0.0.1/contracts', 'stop.timeout': 'soon' };
    const starting = startService('contracts-licensing', settings);
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
