import { beforeAll, describe, expect, it } from '@jest/globals';
import { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import {
  as, http, openFgaStore, rpcClient, ServiceNotStarted, type ServiceSettings, startService, tcpProxy,
  type TestOpenFgaStore, testSecret, until,
} from '@platform/testing';

let store: TestOpenFgaStore;
const credential = testSecret();

beforeAll(async () => {
  store = await openFgaStore();
}, 120_000);

function settings(changed: ServiceSettings = {}): ServiceSettings {
  return {
    ...store.settings, 'secrets.serviceCredential': credential, 'services.orgsTeams': '127.0.0.1:9', ...changed,
  };
}

describe('authz', () => {
  it('waits for an engine that comes later', async () => {
    const engine = await tcpProxy(store.url);
    engine.hold();
    const starting = startService('authz', settings({ 'openfga.url': `http://${engine.address}` }));
    // The second connection shows that the first attempt has failed and authz retries.
    await until(() => engine.connections.total > 1, { within: 20_000, what: 'authz asks the engine again' });
    await engine.release();
    const service = await starting;
    const authz = await rpcClient(DecisionServiceService, service, { serviceCredential: credential });
    expect((await authz.getModel({}, as(undefined))).modelId).toMatch(/^[0-9A-Z]{26}$/);
  }, 60_000);

  it('does not wait for an engine that refuses its key', async () => {
    const starting = startService('authz', settings({ 'openfga.presharedKey': testSecret() }));
    await expect(starting).rejects.toBeInstanceOf(ServiceNotStarted);
  }, 60_000);

  it('is not ready while the engine is away, and ready again by itself', async () => {
    const engine = await tcpProxy(store.url);
    const service = await startService('authz', settings({ 'openfga.url': `http://${engine.address}` }));
    const operations = http(`http://${service.addresses['admin']}`);
    const ready = async () => (await operations.get('/readyz')).status;
    expect(await ready()).toBe(200);
    await engine.refuse();
    expect(await ready()).toBe(503);
    expect((await operations.get('/livez')).status).toBe(200);
    await engine.release();
    await until(async () => (await ready()) === 200, { what: 'authz is ready again' });
  }, 60_000);

  it('gives replicas one store and one model', async () => {
    const own = await openFgaStore();
    const service = await startService('authz', settings(own.settings), { replicas: 3 });
    const models = await Promise.all(service.replicas.map(async ({ addresses }) => {
      const authz = await rpcClient(DecisionServiceService, [addresses['grpc']!], { serviceCredential: credential });
      return () => authz.getModel({}, as(undefined));
    }));
    await until(async () => {
      await Promise.all(service.replicas.map(({ addresses }) => http(`http://${addresses['admin']}`).get('/readyz')));
      const places = await Promise.all(models.map((read) => read()));
      return new Set(places.map(({ storeId, modelId }) => `${storeId} ${modelId}`)).size === 1;
    }, { what: 'the replicas agree' });
  }, 90_000);
});
