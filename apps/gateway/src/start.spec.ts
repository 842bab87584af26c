import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { grpcServices, environmentName, openService, type RunningService } from '@platform/service';
import { http } from '@platform/testing';
import { readConfig } from './config.ts';
import { start } from './start.ts';

const never = new AbortController().signal;
const environment = {
  PLATFORM_LOG_LEVEL: 'fatal',
  PLATFORM_HTTP_BASE_URL: 'https://platform.example/',
  PLATFORM_DEPLOYMENT_TYPE: 'Hosted',
  PLATFORM_SECRETS_SERVICE_CREDENTIAL: 'a credential of the specs, long enough',
  ...Object.fromEntries(grpcServices.map(({ addresses }) => [environmentName(addresses), '127.0.0.1:1'])),
};

function startGateway(source: Parameters<typeof readConfig>[0]): Promise<RunningService> {
  const config = readConfig(source);
  return openService('gateway', config, never, (service) => start(service, config));
}

test("the gateway starts with the product's own API, reports its health, and stops", async () => {
  const gateway = await startGateway({ environment });
  const client = http(`http://${gateway.addresses['http']}`);
  const admin = http(`http://${gateway.addresses['admin']}`);
  expect((await client.get('/readyz')).status).toBe(200);
  expect((await client.get('/api/v1/nobody-knows')).text).toBe('{"message":"Not Found"}');
  const away = await client.get('/api/v1/version');
  expect([away.status, away.json<{ url: string }>().url]).toEqual([503, 'https://platform.example/api/swagger']);
  expect((await admin.get('/metrics')).text).toContain('route="/api/v1/version"');
  await gateway[Symbol.asyncDispose]();
  await expect(client.get('/livez')).rejects.toThrow();
});

test('the OpenAPI document has the operations of this deployment, and no others', async () => {
  type Document = { paths: Record<string, Record<string, unknown>> };
  const committed = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8')) as Document;
  const operationsOf = ({ paths }: Document) =>
    Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((verb) => `${verb} ${path}`));
  const served = async (type: string) => {
    await using gateway = await startGateway({ environment: { ...environment, PLATFORM_DEPLOYMENT_TYPE: type } });
    const document = (await http(`http://${gateway.addresses['http']}`).get('/api/v1/openapi.json')).json<Document>();
    return operationsOf(document);
  };
  const hosted = await served('Hosted');
  expect(hosted).toContain('patch /api/v1/orgs/claim/{claimID}');
  expect(hosted).not.toContain('get /api/v1/orgs/claim');
  const marketplace = await served('ProviderAMarketplace');
  expect(marketplace).not.toContain('patch /api/v1/orgs/claim/{claimID}');
  expect(marketplace).toContain('get /api/v1/orgs/claim');
  expect(operationsOf(committed)).toEqual(expect.arrayContaining([...hosted, ...marketplace]));
});

test('below /marketplace/, every method gets the console page where the listener is not deployed', async () => {
  const elsewhere = { ...environment, PLATFORM_DEPLOYMENT_TYPE: 'SelfHostedProduction' };
  await using gateway = await startGateway({ environment: elsewhere });
  const client = http(`http://${gateway.addresses['http']}`);
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PUT']) {
    const answer = await client.send(method, '/marketplace/api/v1/anything');
    expect([answer.status, answer.header('content-type')?.split(';')[0]]).toEqual([200, 'text/html']);
  }
  for (const type of ['ProviderBMarketplace', 'Hosted']) {
    const deployed = {
      ...environment, PLATFORM_DEPLOYMENT_TYPE: type, PLATFORM_MARKETPLACE_LISTENER_ADDRESSES: '127.0.0.1:1',
    };
    await using withListener = await startGateway({ environment: deployed });
    const there = http(`http://${withListener.addresses['http']}`);
    expect((await there.get('/marketplace/api/v1/anything')).status).toBe(503);
  }
});

test('a gateway that would go on for longer than its stop may take does not start', () => {
  const read = (delay: string) => readConfig({ environment: { ...environment, PLATFORM_STOP_DELAY: delay } });
  expect(() => read('10s')).toThrow('PLATFORM_STOP_DELAY: is 10000 ms; accepted is less than stop.timeout');
  expect(read('9s').stopDelay).toBe(9_000);
});

test('a service of which no address is configured is named at the start', async () => {
  const { PLATFORM_SERVICES_ORGS_TEAMS: _, ...without } = environment as Record<string, string>;
  await expect(startGateway({ environment: without })).rejects.toThrow('orgs-teams');
});
