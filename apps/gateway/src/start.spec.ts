import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { grpcServices, environmentName, openService, type RunningService } from '@platform/service';
import { http, type HttpAnswer, type HttpClient } from '@platform/testing';
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
  type Document = { servers: { url: string }[]; paths: Record<string, Record<string, unknown>> };
  const committed = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8')) as Document;
  const operationsOf = ({ paths }: Document) =>
    Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((verb) => `${verb} ${path}`));
  const served = async (type: string) => {
    const below = { PLATFORM_HTTP_BASE_URL: 'https://platform.example/below/' };
    await using gateway = await startGateway({ environment: { ...environment, ...below, PLATFORM_DEPLOYMENT_TYPE: type } });
    const document = (await http(`http://${gateway.addresses['http']}`).get('/api/v1/openapi.json')).json<Document>();
    expect(document.servers.map(({ url }) => url)).toEqual(['/below']);
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
  const claimable = '/marketplace/api/v1/marketplaces/standalone-organizations/1/claimable';
  const passedOn = {
    ProviderBMarketplace: ['/marketplace/api/v1/anything', '/marketplace/api/v1/version', claimable],
    Hosted: [claimable, `${claimable}/`],
  };
  for (const [type, paths] of Object.entries(passedOn)) {
    const deployed = {
      ...environment, PLATFORM_DEPLOYMENT_TYPE: type, PLATFORM_MARKETPLACE_LISTENER_ADDRESSES: '127.0.0.1:1',
    };
    await using withListener = await startGateway({ environment: deployed });
    const there = http(`http://${withListener.addresses['http']}`);
    for (const path of paths) expect([path, (await there.get(path)).status]).toEqual([path, 503]);
    if (type !== 'Hosted') continue;
    for (const path of ['/marketplace', '/marketplace/', '/marketplace/api/v1/version', `${claimable}/more`, '/marketplace/api/v1/anything']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await there.send(method, path);
        expect([path, answer.status, answer.header('content-type')?.split(';')[0]]).toEqual([path, 200, 'text/html']);
      }
    }
  }
});

describe('the console', () => {
  const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
  let gateway: RunningService;
  let client: HttpClient;
  beforeAll(async () => {
    gateway = await startGateway({ environment: { ...environment, PLATFORM_HTTP_BASE_URL: 'https://platform.example/a/path/' } });
    client = http(`http://${gateway.addresses['http']}`);
  });
  afterAll(async () => gateway[Symbol.asyncDispose]());

  test('is at / and at every path that nobody has, for browsers alone', async () => {
    for (const path of ['/', '/orgs/acme/teams', '/sign-in', '/apis']) {
      const page = await client.get(path, asBrowser);
      expect([path, page.status, page.header('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect((await client.send('HEAD', path, asBrowser)).status).toBe(200);
    }
    const taken = ['/api', '/auth', '/metrics-proxy', '/links', '/livez', '/readyz', '/assets'];
    for (const path of [...taken.map((prefix) => `${prefix}/x`), '/avatars', '/api/v1/x']) {
      expect([path, (await client.get(path, asBrowser)).status]).toEqual([path, 404]);
    }
    for (const accept of ['application/json', '*/*', 'text/html;q=0', '']) {
      expect((await client.get('/orgs/acme/teams', { headers: { accept } })).text).toBe('{"message":"Not Found"}');
    }
    expect((await client.send('POST', '/orgs/acme/teams', asBrowser)).status).toBe(404);
  });

  test('is a page under a strict policy with a fresh nonce, never kept', async () => {
    const [page, again] = [await client.get('/', asBrowser), await client.get('/', asBrowser)];
    const nonceOf = ({ text }: HttpAnswer) => /nonce="([^"]+)"/.exec(text)![1]!;
    expect(nonceOf(page)).not.toBe(nonceOf(again));
    expect(page.header('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonceOf(page)}'; img-src 'self' data:; font-src 'self'; `
      + "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect([page.header('cache-control'), page.header('etag'), page.header('cross-origin-opener-policy')])
      .toEqual(['no-store', undefined, 'same-origin']);
    expect(page.text).not.toMatch(/NONCE-OF-THE-ANSWER|<base|<script(?! type="module"[^>]* src=)/);
  });

  test('has files below the path of the platform, with a hash in the name, compressed and kept for ever', async () => {
    const page = await client.get('/', asBrowser);
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(files.length).toBeGreaterThan(2);
    for (const address of files) {
      expect(address).toMatch(/^\/a\/path\/assets\/[\w.-]+-[\w-]{8}\.(?:js|css|svg)$/);
      const path = address.slice('/a/path'.length);
      const file = await client.get(path, { headers: { 'accept-encoding': 'identity' } });
      expect([file.status, file.header('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
    const script = files.find((address) => address.endsWith('.js'))!.slice('/a/path'.length);
    const get = (encoding: string) => client.get(script, { headers: { 'accept-encoding': encoding } });
    const plain = await get('identity');
    for (const [accepted, encoding, decode] of [['gzip', 'gzip', gunzipSync], ['gzip, br', 'br', brotliDecompressSync]] as const) {
      const encoded = await get(accepted);
      expect([encoded.header('content-encoding'), encoded.header('vary')]).toEqual([encoding, 'Accept-Encoding']);
      expect(decode(encoded.body).equals(plain.body)).toBe(true);
    }
    expect(page.text).toContain('<meta name="platform-base" content="/a/path">');
  });

  test('has GET and HEAD at / and of its files, and refuses other methods there', async () => {
    const [, file] = /src="\/a\/path([^"]+)"/.exec((await client.get('/', asBrowser)).text)!;
    for (const path of ['/', file!]) {
      const [page, head] = [await client.get(path), await client.send('HEAD', path)];
      expect([page.status, head.status, head.text, head.header('content-type')]).toEqual([200, 200, '', page.header('content-type')]);
      const [options, refused] = [await client.send('OPTIONS', path), await client.send('POST', path)];
      expect([options.status, options.header('allow')]).toEqual([204, 'GET, HEAD']);
      expect([refused.status, refused.header('allow')]).toEqual([405, 'GET, HEAD']);
    }
    for (const path of ['/orgs/acme', '/docs/errors']) {
      for (const method of ['POST', 'OPTIONS']) expect([path, (await client.send(method, path, asBrowser)).status]).toEqual([path, 404]);
    }
  });

  test('is told which operations the deployment lacks', async () => {
    const lacking = /name="platform-lacking" content="([^"]*)"/.exec((await client.get('/', asBrowser)).text)![1]!.split(' ');
    expect(lacking).toContain('receiveProviderA');
    expect(lacking).not.toContain('listUserContracts');
  });

  test('names in its head whether the browser sent a cookie', async () => {
    const told = async (headers: Record<string, string>) =>
      /name="platform-cookies" content="(\w+)"/.exec((await client.get('/', { headers: { ...asBrowser.headers, ...headers } })).text)![1];
    expect([await told({}), await told({ cookie: 'session-80=x' })]).toEqual(['none', 'some']);
  });
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
