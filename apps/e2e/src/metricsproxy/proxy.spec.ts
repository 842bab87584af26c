import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { http, type HttpClient } from '@platform/testing';
import { outcome } from '../orgs/world.ts';
import { type ClusterOwner, type MetricsWorld, ok, register, registerB, startMetricsWorld, unregister } from './metrics-world.ts';

/** A metrics backend that notes what it is asked. */
interface Backend {
  readonly server: Server;
  readonly url: string;
  readonly seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  handle: (request: IncomingMessage, response: ServerResponse) => void;
}

async function startBackend(): Promise<Backend> {
  const backend = {
    seen: [] as Backend['seen'],
    handle: (_: IncomingMessage, response: ServerResponse) => {
      response.setHeader('Set-Cookie', 'a=b').setHeader('Content-Type', 'application/json').end('{"status":"success"}');
    },
  };
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { method = '', url = '', headers } = request;
      backend.seen.push({ method, url, headers, body: body.toString() });
      backend.handle(request, response);
    }, () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(backend, { server, url: `http://127.0.0.1:${port}/prom?x=1` });
}

let world: MetricsWorld;
let acme: ClusterOwner;
let backend: Backend;
let token: string;
/** Through the gateway, and straight to the service. */
let ways: readonly HttpClient[];

beforeAll(async () => {
  world = await startMetricsWorld();
  backend = await startBackend();
  acme = await world.owner();
  const json = {
    backend: { url: backend.url, basicAuth: { username: 'prom', password: 'hush' } },
    clusterUID: acme.cluster.uid, issueToken: true,
  };
  token = ok<{ flavora: { bearerToken: string } }>(await acme.boss.http.post(register, { json })).flavora.bearerToken;
  const { proxy } = world.platform.services.metricsproxy.addresses;
  ways = [http(world.platform.baseUrl), http(`http://${proxy}`)];
}, 120_000);
afterAll(async () => {
  backend.server.closeAllConnections();
  backend.server.close();
  await world[Symbol.asyncDispose]();
});

const at = (path: string, identity = acme.identity) => `/metrics-proxy/${identity}/${path}`;
const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });
const basic = (value: string) => ({ headers: { authorization: `Basic ${Buffer.from(`x:${value}`).toString('base64')}` } });

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
      const headers = { ...bearer(token).headers, 'content-type': 'application/x-www-form-urlencoded' };
      expect((await way.post(at('api/v1/query'), { headers, body: 'query=up' })).status).toBe(200);
      const chunked = { ...headers, 'transfer-encoding': 'chunked' };
      expect((await way.post(at('api/v1/query_range'), { headers: chunked, body: 'query=down' })).status).toBe(200);
      expect(backend.seen.map(({ body }) => body)).toEqual(['query=up', 'query=down']);
    }
  });

  it('is refused as on the hook', async () => {
    const stranger = await world.person();
    const unknown = `${acme.organization.id}.00000000-0000-4000-8000-000000000000`;
    backend.seen.length = 0;
    for (const way of ways) {
      const get = (path: string, how: object = {}) => way.get(path, how).then(outcome);
      expect(await get(at('api/v1/query'))).toBe('401 unauthenticated');
      expect(await get(at('api/v1/query'), bearer('0'.repeat(40)))).toBe('401 unauthenticated');
      expect(await get(at('api/v1/query'), basic('0'.repeat(40)))).toBe('401 unauthenticated');
      expect(await get(at('api/v1/query'), bearer(stranger.token))).toBe('401 not_org_member');
      expect(await get(at('api/v1/query', unknown), bearer(acme.boss.token))).toBe('404 not_found');
      expect(await get(at('api/v1/query', 'x.y'), bearer(acme.boss.token))).toBe('400 invalid_parameter');
      expect(await get(at('api/v1/query', `${acme.identity}.p`), bearer(token))).toBe('401 unauthenticated');
      expect(await get(at('api/v1/query', `${acme.identity}.p`), bearer(acme.boss.token))).toBe('404 not_found');
      for (const path of ['graph', 'api/v2/query', 'api/v1/', 'api/v1/%2e%2e/x', '-/reload', '']) {
        expect((await way.get(at(path), bearer(token))).status).toBe(404);
      }
      expect(outcome(await way.delete(at('api/v1/series'), bearer(token)))).toBe('405 method_not_allowed');
    }
    expect(backend.seen).toEqual([]);
  });
});

describe('a backend', () => {
  it('that is down, redirects or cuts is 502; its own refusals are passed on', async () => {
    const { boss, cluster, identity } = await world.owner();
    const put = async (url: string) =>
      expect(outcome(await boss.http.post(register, { json: { backend: { url }, clusterUID: cluster.uid } }))).toBe('200');
    const query = () => ways[0]!.get(at('api/v1/query', identity), bearer(boss.token));
    await put('http://127.0.0.1:9');
    expect(outcome(await query())).toBe('502 bad_upstream');
    await put('http://no-such-name.invalid');
    expect(outcome(await query())).toBe('502 bad_upstream');
    await put(backend.url);
    const usual = backend.handle;
    backend.seen.length = 0;
    backend.handle = (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
    expect(outcome(await query())).toBe('502 bad_upstream');
    backend.handle = (_, response) => response.destroy();
    expect(outcome(await query())).toBe('502 bad_upstream');
    backend.handle = (_, response) => response.writeHead(422, { 'Content-Type': 'application/json' }).end('{"error":"x"}');
    expect((await query()).text).toBe('{"error":"x"}');
    backend.handle = usual;
  });

  it('sees the call end when the client leaves', async () => {
    const usual = backend.handle;
    const left = new Promise<void>((resolve) => {
      backend.handle = (_, response) => {
        response.write('{');
        response.once('close', resolve);
      };
    });
    for (const { baseUrl } of [ways[1]!]) {
      const call = httpRequest(`${baseUrl}${at('api/v1/query')}`, bearer(token));
      call.on('error', () => undefined);
      call.once('response', () => call.destroy());
      call.end();
    }
    await left;
    backend.handle = usual;
  });

  it('is the newest of both flavors, and goes with the last', async () => {
    const { boss, cluster, identity } = await world.owner();
    const other = await startBackend();
    const json = { clusterUID: cluster.uid };
    const query = () => ways[0]!.get(at('api/v1/query', identity), bearer(boss.token)).then(outcome);
    ok(await boss.http.post(register, { json: { ...json, backend: { url: backend.url } } }));
    ok(await boss.http.post(registerB, { json: { ...json, backend: { url: other.url } } }));
    expect(await query()).toBe('200');
    expect(other.seen).toHaveLength(1);
    await boss.http.post(unregister, { json });
    expect(await query()).toBe('200');
    expect(other.seen).toHaveLength(2);
    await boss.http.post('/api/v1/metricsproxy/flavorb/unregister', { json });
    expect(await query()).toBe('404 not_found');
    other.server.closeAllConnections();
    other.server.close();
  });
});
