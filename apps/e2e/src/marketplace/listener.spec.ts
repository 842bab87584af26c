import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ListenerServiceService } from '@platform/proto/marketplace/v1/listener';
import { as, type HttpClient, rpcClient, until } from '@platform/testing';
import { documentedHttp } from '../documented.ts';
import { type RunningPlatform, startPlatform } from '../platform.ts';
import { listenerHosts, listenerSettings } from './marketplace-world.ts';

const version = '/marketplace/api/v1/version';
const host = 'Host: x\r\n';
const errorKeys = ['message', 'code', 'requestId'];

let platform: RunningPlatform;
/** A client of the listener without the gateway. */
let listener: HttpClient;
/** Clients of the listener through the gateway and without it. */
let ways: readonly HttpClient[];

beforeAll(async () => {
  platform = await startPlatform({
    hosts: listenerHosts,
    settings: {
      ...listenerSettings, 'deployment.type': 'ProviderBMarketplace', 'run.mode': 'prod',
      'rateLimit.anonymousPerSecond': '1', 'rateLimit.anonymousBurst': '1',
    },
    ownProcess: { of: ['marketplace-listener'], because: 'killed' },
    // Only the gateway is behind a proxy.
    surroundings: (service) => (service === 'gateway' ? { environment: { PLATFORM_HTTP_TRUSTED_PROXIES: '127.0.0.0/8' } } : {}),
  });
  listener = documentedHttp(`http://${platform.services['marketplace-listener'].addresses['listener']!}`);
  ways = [listener, platform.http];
}, 120_000);

/** The line of the access log about a request. */
async function logged(requestId: string): Promise<Record<string, unknown>> {
  const [{ log }] = platform.services['marketplace-listener'].replicas;
  const find = () => log.find((line) => line.includes(`"requestId":"${requestId}"`) && line.includes('"durationMs"'));
  await until(() => find() !== undefined, { what: 'the request is logged' });
  return JSON.parse(find()!) as Record<string, unknown>;
}

describe('the marketplace listener', () => {
  it('answers its version, as the gateway does and as often as it is asked', async () => {
    const { version: known } = (await platform.http.get('/api/v1/version')).json<{ version: string }>();
    for (const client of ways) {
      for (let count = 0; count < 10; count += 1) expect((await client.get(version)).json()).toEqual({ version: known });
      expect((await client.get(`${version}/`)).json()).toEqual({ version: known });
      const head = await client.send('HEAD', version);
      expect([head.status, head.text]).toEqual([200, '']);
      const options = await client.send('OPTIONS', version);
      expect([options.status, options.header('allow')]).toEqual([204, 'GET, HEAD']);
    }
    const direct = await rpcClient(ListenerServiceService, platform.grpc['marketplace-listener'].split(','));
    expect(await direct.getListenerVersion({}, as(undefined))).toEqual({ version: known });
  });

  it('takes over a valid request id, and no other', async () => {
    for (const client of ways) {
      expect((await client.get(version, { headers: { 'X-Request-Id': 'mine.1' } })).header('x-request-id')).toBe('mine.1');
      expect((await client.get(version, { headers: { 'X-Request-Id': 'not mine' } })).header('x-request-id'))
        .toMatch(/^[A-Za-z0-9._-]{8,64}$/);
    }
  });

  it('returns the plain 404 for unknown paths with any method', async () => {
    for (const client of ways) {
      for (const path of ['/marketplace/', '/marketplace/api/v1/', '/marketplace/api/v2/version', '/marketplace/api/v1/Version']) {
        for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
          const answer = await client.send(method, path);
          expect([answer.status, answer.text]).toEqual([404, '{"message":"Not Found"}']);
        }
      }
    }
    // Only the gateway serves the rest of the API.
    for (const path of ['/', '/livez', '/api/v1/version', '/api/v1/orgs/claim', '/metrics']) {
      expect((await listener.get(path)).text).toBe('{"message":"Not Found"}');
    }
  });

  it('refuses in a format of its own', async () => {
    for (const client of ways) {
      const answer = await client.post(version, { json: {} });
      expect([answer.status, answer.header('allow'), answer.header('content-type')])
        .toEqual([405, 'GET, HEAD', 'application/json']);
      expect(answer.json())
        .toEqual({ message: expect.any(String), code: 'method_not_allowed', requestId: answer.header('x-request-id') });
    }
  });

  it.each([
    ['no HTTP', 'nonsense\r\n\r\n', 400],
    ['no host', `GET ${version} HTTP/1.1\r\n\r\n`, 400],
    ['two hosts', `GET ${version} HTTP/1.1\r\n${host}${host}\r\n`, 400],
    ['two lengths', `POST ${version} HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
    ['a length and chunks', `POST ${version} HTTP/1.1\r\n${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['a long address', `GET ${version}?a=${'x'.repeat(9_000)} HTTP/1.1\r\n${host}\r\n`, 414],
    ['large headers', `GET ${version} HTTP/1.1\r\n${host}X-Filler: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['a header with NUL', `GET ${version} HTTP/1.1\r\n${host}X-Bad: a\0b\r\n\r\n`, 400],
  ])('refuses a head with %s', async (_, bytes, status) => {
    const [answer] = await listener.exchange(bytes);
    expect(answer!.status).toBe(status);
    expect(Object.keys(answer!.json<object>())).toEqual(errorKeys);
  });

  it('ignores the body of a GET, however large', async () => {
    expect((await listener.send('GET', version, { body: 'x'.repeat(1_000) })).status).toBe(200);
    const [answer] = await listener.exchange(`GET ${version} HTTP/1.1\r\n${host}Content-Length: 999999999\r\n\r\nabc`);
    expect([answer!.status, answer!.header('connection')]).toEqual([200, 'close']);
  });

  it('logs who asked, by the gateway or directly, and no query', async () => {
    const secret = 'a-secret-of-a-marketplace';
    const forwarded = { 'X-Forwarded-For': '192.0.2.1, 203.0.113.7' };
    const ask = async (client: HttpClient, requestId: string, headers: Record<string, string>) => {
      const answer = await client.get(`${version}?secret=${secret}`, { headers: { 'X-Request-Id': requestId, ...headers } });
      expect(answer.status).toBe(200);
      return logged(requestId);
    };
    expect(await ask(platform.http, 'by-gateway', forwarded))
      .toMatchObject({ address: '203.0.113.7', path: version, query: '[redacted]', status: 200 });
    // The gateway's credential proves to the listener that a request comes from the gateway; clients cannot use it.
    const invented = { ...forwarded, 'Platform-Service-Credential': 'invented' };
    expect(await ask(platform.http, 'by-gateway-invented', invented)).toMatchObject({ address: '203.0.113.7' });
    expect(await ask(listener, 'direct', forwarded)).toMatchObject({ address: '127.0.0.1' });
    expect(await ask(listener, 'direct-invented', invented)).toMatchObject({ address: '127.0.0.1' });
    const ours = { ...forwarded, 'Platform-Service-Credential': platform.serviceCredential };
    expect(await ask(listener, 'ours', ours)).toMatchObject({ address: '192.0.2.1, 203.0.113.7' });
    const lines = Object.values(platform.services).flatMap(({ replicas }) => replicas.flatMap(({ log }) => log));
    expect(lines.filter((line) => line.includes(secret) || line.includes(platform.serviceCredential))).toEqual([]);
  });

  it('is away when its process is, and the gateway says so', async () => {
    const [replica] = platform.services['marketplace-listener'].replicas;
    await replica.kill();
    expect((await platform.http.get(version)).status).toBe(503);
    await replica.restart();
    expect((await platform.http.get(version)).status).toBe(200);
  });
});

afterAll(() => Promise.all(Object.values(platform?.services ?? {}).map((service) => service.stop())));
