import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { http, type HttpClient, type ServiceSettings, startService, tcpProxy, until } from '@platform/testing';
import { grpcServices } from '@platform/service';
import { type Authority, openAuthority } from '@platform/tls';
import { narrowToken, outcome } from '../orgs/world.ts';
import {
  bearer, type ClusterOwner, type MetricsWorld, ok, queryOf, register, registerB, startMetricsWorld, unregister, unregisterB,
} from './metrics-world.ts';
import { startBackend, type TestBackend } from './test-backend.ts';

let world: MetricsWorld;
let acme: ClusterOwner;
let backend: TestBackend;
let token: string;
/** Clients through the gateway and of the service itself. */
let ways: readonly HttpClient[];

beforeAll(async () => {
  world = await startMetricsWorld();
  backend = await startBackend();
  acme = await world.owner();
  token = await acme.issueToken({ backend: { url: backend.url, basicAuth: { username: 'prom', password: 'hush' } } });
  const { proxy } = world.platform.services.metricsproxy.addresses;
  ways = [http(world.platform.baseUrl), http(`http://${proxy}`)];
}, 120_000);
afterAll(async () => {
  await backend?.[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const at = (path: string, identity = acme.identity) => queryOf(identity, path);
const basic = (value: string) => ({ headers: { authorization: `Basic ${Buffer.from(`x:${value}`).toString('base64')}` } });

const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe('a query', () => {
  it('reaches the backend with its own credentials and the tenant, and nothing of ours', async () => {
    for (const way of ways) {
      for (const headers of [bearer(token).headers, basic(token).headers, bearer(acme.boss.token).headers]) {
        backend.seen.length = 0;
        const answer = await way.get(at('api/v1/query?query=up%7Ba%3D%22b%22%7D'), {
          headers: { ...headers, 'Cookie': 'session=1', 'X-Scope-OrgID': 'other', 'X-Custom': 'y', 'Accept': 'a/b' },
        });
        expect([answer.status, answer.text]).toEqual([200, '{"status":"success"}']);
        expect(answer.header('set-cookie')).toBeUndefined();
        const [asked] = backend.seen;
        expect(asked).toMatchObject({ method: 'GET', url: '/prom/api/v1/query?x=1&query=up%7Ba%3D%22b%22%7D' });
        const { connection, host, ...seen } = asked!.headers;
        expect(seen).toEqual({
          'accept': 'a/b', 'x-scope-orgid': `platform.user.${acme.organization.id}`,
          'authorization': `Basic ${Buffer.from('prom:hush').toString('base64')}`,
        });
      }
    }
  });

  it('may carry the cookie of a session from pages of the platform, which no backend sees (open-points 18.3)', async () => {
    const origin = world.platform.baseUrl;
    const [way, straight] = ways as [HttpClient, HttpClient];
    const page = { origin, 'sec-fetch-site': 'same-origin' };
    const signedIn = await way.post('/auth/sign-in/token', { json: { token: acme.boss.token }, headers: page });
    const [cookie] = signedIn.header('set-cookie')!.split(';');
    const value = cookie!.split('=')[1]!;
    const path = at('api/v1/query?query=up');
    const send = async (method: string, headers: Record<string, string>, client = way) =>
      outcome(await client.send(method, path, { headers: { cookie: cookie!, ...headers }, ...(method === 'POST' && { body: '' }) }));
    backend.seen.length = 0;
    const answer = await way.get(path, { headers: { ...page, cookie: cookie! } });
    expect([answer.status, answer.header('x-content-type-options')]).toEqual([200, 'nosniff']);
    expect(answer.header('content-security-policy')).toContain('sandbox');
    expect(JSON.stringify(backend.seen)).not.toContain(value);
    expect([await send('POST', page), await send('GET', { 'sec-fetch-site': 'none' })]).toEqual(['200', '200']);
    expect(await send('GET', { ...page, ...bearer(token).headers })).toBe('400 ambiguous_credentials');
    const refused = [
      ['GET', { 'sec-fetch-site': 'cross-site' }], ['GET', { 'sec-fetch-site': 'same-site' }], ['GET', {}],
      ['POST', { 'sec-fetch-site': 'same-origin' }], ['POST', { 'sec-fetch-site': 'same-origin', 'origin': 'null' }],
      ['POST', { 'sec-fetch-site': 'none', origin }], ['POST', { 'sec-fetch-site': 'same-origin', 'origin': `${origin}0` }],
      ['GET', { 'platform-session': value }], ['GET', { authorization: `Bearer session:${value}` }],
      ['GET', { authorization: `Bearer ${value}` }],
    ] as const;
    for (const [method, headers] of refused) {
      expect([method, headers, await send(method, headers)]).toEqual([method, headers, '401 unauthenticated']);
    }
    // The service accepts a session only from the gateway.
    expect(await send('GET', { ...page, 'platform-session': value }, straight)).toBe('401 unauthenticated');
  });

  it('carries no token in its address to the backend', async () => {
    for (const way of ways) {
      backend.seen.length = 0;
      expect((await way.get(at(`api/v1/labels?access_token=${token}&match=x`))).status).toBe(200);
      expect(backend.seen[0]!.url).toBe('/prom/api/v1/labels?x=1&match=x');
    }
  });

  it('by POST carries its body', async () => {
    for (const way of ways) {
      backend.seen.length = 0;
      const headers = { ...bearer(token).headers, ...form };
      expect((await way.post(at('api/v1/query'), { headers, body: 'query=up' })).status).toBe(200);
      const chunked = { ...headers, 'transfer-encoding': 'chunked' };
      expect((await way.post(at('api/v1/query_range'), { headers: chunked, body: 'query=down' })).status).toBe(200);
      expect(backend.seen.map(({ body }) => body)).toEqual(['query=up', 'query=down']);
    }
  });

  it('needs a token with the scope for metrics, and by POST the one for writing', async () => {
    const { http: boss } = acme.boss;
    const [reading, writing, other] = await Promise.all([
      narrowToken(boss, 'read:metrics'), narrowToken(boss, 'write:metrics'), narrowToken(boss, 'write:cluster', 'read:usage'),
    ]);
    const path = at('api/v1/query?query=up');
    for (const way of ways) {
      const answers = async (token: string) => [
        await way.get(path, bearer(token)), await way.get(path, basic(token)),
        await way.post(at('api/v1/query'), { headers: { ...bearer(token).headers, ...form }, body: 'query=up' }),
      ].map(outcome);
      expect(await answers(reading)).toEqual(['200', '200', '403 missing_scope']);
      expect(await answers(writing)).toEqual(['200', '200', '200']);
      expect(await answers(other)).toEqual(['403 missing_scope', '403 missing_scope', '403 missing_scope']);
    }
    expect(outcome(await world.as(other).get(`/api/v1/metricsproxy/auth/${acme.identity}/x`))).toBe('403 missing_scope');
  });

  it('is refused as on the hook', async () => {
    const stranger = await world.person();
    const unknown = `${acme.organization.id}.00000000-0000-4000-8000-000000000000`;
    backend.seen.length = 0;
    for (const way of ways) {
      const get = (path: string, how: object = {}) => way.get(path, how).then(outcome);
      for (const how of [{}, bearer('0'.repeat(40)), basic('0'.repeat(40))]) {
        expect([how, await get(at('api/v1/query'), how)]).toEqual([how, '401 unauthenticated']);
      }
      for (const [expected, as, identity] of [
        ['401 not_org_member', stranger.token, acme.identity], ['404 not_found', acme.boss.token, unknown],
        ['400 invalid_parameter', acme.boss.token, 'x.y'], ['401 unauthenticated', token, `${acme.identity}.p`],
        ['404 not_found', acme.boss.token, `${acme.identity}.p`],
      ] as const) expect([identity, await get(at('api/v1/query', identity), bearer(as))]).toEqual([identity, expected]);
      expect((await way.get(at(''), bearer(token))).status).toBe(404);
      for (const path of ['graph', 'api/v2/query', 'api/v1/', 'api/v1/%2e%2e/x', '-/reload', 'api/v1/write']) {
        const as = (caller: string) => get(at(path), bearer(caller));
        expect([path, await as(token), await as('0'.repeat(40)), await as(stranger.token)])
          .toEqual([path, '403 forbidden', '401 unauthenticated', '401 not_org_member']);
      }
      expect(outcome(await way.delete(at('api/v1/series'), bearer(token)))).toBe('405 method_not_allowed');
      for (const text of ['%', '%zz', '%00', '%ff']) {
        const hook = `/api/v1/metricsproxy/auth/${acme.identity}/${text}`;
        for (const path of [at(`api/v1/label/${text}/values`), at(`api/v1/query?query=${text}`), hook]) {
          if (path === hook && way !== ways[0]) continue;
          expect([path, await get(path, bearer(token))]).toEqual([path, '400 invalid_parameter']);
          expect([path, await get(path, bearer('0'.repeat(40)))]).toEqual([path, '401 unauthenticated']);
        }
      }
    }
    expect(backend.seen).toEqual([]);
  });
});

/** Starts a separate metricsproxy and returns a client of it through a gateway. */
async function throughGateway(given: ServiceSettings) {
  const { settings, grpc } = world.platform;
  const own = { 'grpc.listen': '127.0.0.1:0', 'metricsproxy.listen': '127.0.0.1:0', ...given };
  const proxy = await startService('metricsproxy', { ...settings.metricsproxy, ...own });
  const gateway = await startService('gateway', {
    ...settings.metricsproxy,
    ...Object.fromEntries(grpcServices.map(({ name, addresses }) => [addresses, grpc[name]])),
    'metricsproxy.addresses': proxy.addresses['proxy']!, 'http.port': '0', 'http.trustedProxies': '127.0.0.0/8',
  });
  return { proxy, client: http(`http://${gateway.addresses['http']}`) };
}

it('a source of bad tokens keeps no other one away, also through the gateway, and is named in the log', async () => {
  const { proxy, client } = await throughGateway({
    'rateLimit.enabled': 'true', 'rateLimit.failedCredentialsBurst': '1', 'rateLimit.failedCredentialsPerSecond': '1',
  });
  const from = async (source: string, by: HttpClient = client) => {
    const headers = { 'authorization': `Bearer ${'0'.repeat(40)}`, 'x-forwarded-for': source };
    return outcome(await by.get(at('api/v1/query'), { headers }));
  };
  const flood = await Promise.all(Array.from({ length: 40 }, () => from('192.0.2.1')));
  expect(new Set(flood)).toEqual(new Set(['401 unauthenticated', '429 rate_limited']));
  expect(await from('192.0.2.2')).toBe('401 unauthenticated');
  // A client without the gateway cannot choose the source address.
  expect(await from('192.0.2.3', http(`http://${proxy.addresses['proxy']}`))).toBe('401 unauthenticated');
  const sources = () => proxy.replicas[0].log.map((line) => JSON.parse(line) as { message: string; address?: string })
    .filter(({ message }) => message === 'request').map(({ address }) => address);
  await until(() => sources().length === flood.length + 2, { what: 'the log has a line for each request' });
  expect(new Set(sources())).toEqual(new Set(['192.0.2.1', '192.0.2.2', '127.0.0.1']));
});

it('accounts behind one gateway and one source take turns at PostgreSQL (ADR 0154)', async () => {
  const url = new URL(world.platform.databases.metricsproxy.url);
  const link = await tcpProxy(url.host);
  url.host = link.address;
  const { proxy, client } = await throughGateway({ 'postgres.url': url.href, 'postgres.maxConnections': '1' });
  const other = await world.owner();
  ok(await other.post(register, { backend: { url: backend.url } }));
  const query = ({ boss, identity }: ClusterOwner) =>
    client.get(at('api/v1/query?query=turn', identity), { ...bearer(boss.token), within: 30_000 }).then(outcome);
  // Both accounts are cached, and the only connection is open.
  expect(await Promise.all([query(acme), query(other)])).toEqual(['200', '200']);
  backend.seen.length = 0;
  const waiting = async () => {
    const { text } = await http(`http://${proxy.addresses['admin']!}`).get('/metrics');
    return Number(/^postgres_pool_waiting(?:\{.*\})? (\d+)$/m.exec(text)![1]);
  };
  link.hold();
  const flood = Array.from({ length: 20 }, () => query(acme));
  const one = query(other);
  await until(async () => await waiting() >= flood.length, { what: 'all queries but one wait' });
  await link.release();
  expect(await one).toBe('200');
  await Promise.all(flood);
  // In order of arrival, the other account would be answered last.
  const tenants = backend.seen.map(({ headers }) => headers['x-scope-orgid']);
  const turn = tenants.indexOf(`platform.user.${other.organization.id}`);
  expect(turn).toBeLessThan(5);
  expect(tenants.length).toBeGreaterThan(turn + 1);
}, 60_000);

describe('what only reads', () => {
  it('is passed on by its method; what writes or deletes is refused, and the backend does not see it', async () => {
    for (const way of ways) {
      backend.seen.length = 0;
      for (const path of ['query', 'series', 'labels', 'parse_query', 'query_exemplars', 'status/buildinfo']) {
        expect((await way.post(at(`api/v1/${path}`), { ...bearer(token), body: 'query=up' })).status).toBe(200);
      }
      expect((await way.get(at('federate?match[]=up'), bearer(token))).status).toBe(200);
      expect(backend.seen.map(({ url }) => url)).toContain('/prom/federate?x=1&match[]=up');
      const passed = backend.seen.length;
      for (const path of ['write', 'admin/tsdb/delete_series', 'admin/tsdb/snapshot', 'otlp/v1/metrics', 'read']) {
        const refused = await way.post(at(`api/v1/${path}`), { ...bearer(acme.boss.token), body: 'match[]=up' });
        expect([path, outcome(refused)]).toEqual([path, '403 forbidden']);
      }
      expect(outcome(await way.get(at('api/v1/status/config'), bearer(token)))).toBe('403 forbidden');
      expect(outcome(await way.post(at('federate'), { ...bearer(token), body: 'x' }))).toBe('403 forbidden');
      expect(backend.seen).toHaveLength(passed);
    }
  });

  it('has a body of 2 MiB at most (open-points 1.9): counted while it arrives', async () => {
    const most = 2 * 1024 * 1024;
    for (const way of ways) {
      backend.seen.length = 0;
      const post = (body: string, headers: object = {}) =>
        way.post(at('api/v1/query'), { headers: { ...bearer(token).headers, ...headers }, body }).then(outcome);
      expect([await post('x'.repeat(most)), await post('x'.repeat(most + 1))]).toEqual(['200', '413 body_too_large']);
      expect(backend.seen.map(({ body }) => body.length)).toEqual([most]);
      expect(await post('x'.repeat(8 * most), { 'transfer-encoding': 'chunked' })).toBe('413 body_too_large');
      expect(backend.seen.every(({ body }) => body.length <= most)).toBe(true);
      const head = `POST ${at('api/v1/query')} HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer(token).headers.authorization}\r\n`;
      const small = '1\r\nx\r\n'.repeat(5_000);
      const [answer] = await way.exchange(`${head}Transfer-Encoding: chunked\r\n\r\n${small}0\r\n\r\n`);
      expect(outcome(answer!)).toBe('413 body_too_large');
    }
  });
});

describe('a backend', () => {
  it('that is down, redirects or cuts is 502; its own refusals are passed on', async () => {
    const { boss, identity, post } = await world.owner();
    const put = async (url: string) => expect(outcome(await post(register, { backend: { url } }))).toBe('200');
    const query = () => ways[0]!.get(at('api/v1/query', identity), bearer(boss.token));
    for (const url of ['http://127.0.0.1:9', 'http://no-such-name.invalid']) {
      await put(url);
      expect([url, outcome(await query())]).toEqual([url, '502 bad_upstream']);
    }
    await put(backend.url);
    const answering = (handle: TestBackend['handle']) => backend.during(handle, query);
    const redirect = { Location: 'http://127.0.0.1:1/' };
    expect(outcome(await answering((_, response) => response.writeHead(302, redirect).end()))).toBe('502 bad_upstream');
    expect(outcome(await answering((_, response) => response.destroy()))).toBe('502 bad_upstream');
    const json = { 'Content-Type': 'application/json' };
    expect((await answering((_, response) => response.writeHead(422, json).end('{"error":"x"}'))).text).toBe('{"error":"x"}');
  });

  it('with TLS is asked by its authority, name and client certificate', async () => {
    const { boss, identity, post } = await world.owner();
    const folder = await mkdtemp(join(tmpdir(), 'platform-backend-'));
    const [own, other] = [await openAuthority(join(folder, 'own')), await openAuthority(join(folder, 'other'))];
    const filesOf = async (authority: Authority, name: string, hosts: string[]) => {
      const files = await authority.issue({ role: 'service', name, hosts });
      const read = (file: string) => readFile(file, 'utf8');
      return { cert: await read(files.certificate), key: await read(files.key), ca: await read(files.ca) };
    };
    const server = await filesOf(own, 'prometheus', ['prometheus.monitoring']);
    const { ca, ...client } = await filesOf(own, 'platform', []);
    const { ca: otherCa, ...stranger } = await filesOf(other, 'platform', []);
    const secured = createServer({ ...server, requestCert: true, rejectUnauthorized: true }, (_, response) => response.end('{}'));
    secured.listen(0, '127.0.0.1');
    await once(secured, 'listening');
    const url = `https://127.0.0.1:${(secured.address() as AddressInfo).port}/`;
    const asked = async (tls: object) => {
      const put = outcome(await post(register, { backend: { url, tls } }));
      return put === '200' ? outcome(await ways[0]!.get(at('api/v1/query', identity), bearer(boss.token))) : `register ${put}`;
    };
    const serverName = 'prometheus.monitoring';
    expect(await asked({ ca, ...client, serverName })).toBe('200');
    // The form in which `openssl x509 -text` prints it.
    const told = (pem: string) => `\ufeffCertificate:\n    Data:\n        X509v3 - extensions\n${pem}`;
    expect(await asked({ ca: told(ca), cert: told(client.cert), key: told(client.key), serverName })).toBe('200');
    expect(await asked({ ca: told('') })).toBe('register 400 invalid_value');
    expect(await asked({ ...client, insecureSkipTLSVerify: true })).toBe('200');
    for (const tls of [
      {}, { ca, serverName }, { ca, ...client }, { ca, ...client, serverName: 'other' }, { ca: otherCa, ...client, serverName },
      { ca, ...stranger, serverName }, { ...client, serverName },
    ]) expect([tls, await asked(tls)]).toEqual([tls, '502 bad_upstream']);
    expect(await asked({ cert: client.cert, key: stranger.key })).toBe('register 400 invalid_value');
    secured.closeAllConnections();
    secured.close();
    await rm(folder, { recursive: true });
  });

  it('sees the call end when the client leaves', async () => {
    for (const { baseUrl } of ways) {
      const { promise: left, resolve } = Promise.withResolvers<void>();
      await backend.during((_, response) => {
        response.write('{');
        response.once('close', resolve);
      }, async () => {
        const call = httpRequest(`${baseUrl}${at('api/v1/query')}`, bearer(token));
        call.on('error', () => undefined);
        call.once('response', () => call.destroy());
        call.end();
        await left;
      });
    }
  });

  it('is the newest of both flavors, and goes with the last', async () => {
    const { boss, identity, post } = await world.owner();
    await using other = await startBackend();
    const query = () => ways[0]!.get(at('api/v1/query', identity), bearer(boss.token)).then(outcome);
    ok(await post(register, { backend: { url: backend.url } }));
    ok(await post(registerB, { backend: { url: other.url } }));
    expect(await query()).toBe('200');
    expect(other.seen).toHaveLength(1);
    await post(unregister, { backend: undefined });
    expect(await query()).toBe('200');
    expect(other.seen).toHaveLength(2);
    await post(unregisterB, { backend: undefined });
    expect(await query()).toBe('404 not_found');
  });
});
