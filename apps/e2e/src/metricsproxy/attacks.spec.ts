import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { freePort, http, type HttpAnswer, type HttpClient, until } from '@platform/testing';
import { outcome } from '../orgs/world.ts';
import { bearer, type ClusterOwner, type MetricsWorld, ok, queryOf, register, registerB, startMetricsWorld, unregisterB } from './metrics-world.ts';
import { startBackend, type TestBackend } from './test-backend.ts';

const password = 'a-password-of-the-backend';
const mistaken = 'c0ffee'.repeat(7).slice(0, 40);

let world: MetricsWorld;
let acme: ClusterOwner;
let backend: TestBackend;
let token: string;
/** Clients through the gateway and of the service itself. */
let ways: readonly HttpClient[];

beforeAll(async () => {
  world = await startMetricsWorld({ settings: { 'flavorb.url': '' } });
  backend = await startBackend();
  acme = await world.owner();
  token = await acme.issueToken({ backend: { url: backend.url, basicAuth: { username: 'prom', password } } });
  ways = [world.queries[0], http(`http://${world.platform.services.metricsproxy.addresses['proxy']!}`)];
}, 120_000);
afterAll(async () => {
  await backend?.[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const at = (path?: string) => queryOf(acme.identity, path);
/** The answers to a query, by both ways, while the backend uses this handler. */
const answered = (handle: TestBackend['handle'], more: object = {}): Promise<HttpAnswer[]> => backend.during(handle, () =>
  Promise.all(ways.map((way) => way.get(at(), { headers: { ...bearer(token).headers, ...more } }))));

describe('a client', () => {
  it.each(['GET', 'POST'])('cannot turn a body into a second request (%s)', async (method) => {
    for (const way of ways) {
      backend.seen.length = 0;
      const body = `GET ${at('api/v1/series')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
      for (const connection of ['content-length', 'keep-alive, Content-Length', 'transfer-encoding, content-length']) {
        const head = `${method} ${at()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: ${connection}\r\n`;
        const [answer] = await way.exchange(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
        expect(answer!.status).toBe(200);
      }
      expect((await way.get(at(), bearer(token))).status).toBe(200);
      expect(backend.seen.map(({ url }) => url).filter((url) => url.includes('series'))).toEqual([]);
      expect(backend.seen.slice(0, 3).map((seen) => seen.body)).toEqual([body, body, body]);
    }
  });

  it('cannot say twice, or in two ways, where a body ends', async () => {
    backend.seen.length = 0;
    const head = `POST ${at()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
    for (const framing of [
      'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', 'Content-Length: 4\r\nContent-Length: 5\r\n',
      'Transfer-Encoding: gzip, chunked\r\n', 'Transfer-Encoding: chunked, identity\r\n', 'Transfer-Encoding: xchunked\r\n',
      'Content-Length: +4\r\n', 'Content-Length : 4\r\n',
    ]) {
      for (const way of ways) {
        const [answer] = await way.exchange(`${head}${framing}\r\n0\r\n\r\n`);
        expect([framing, answer?.status]).toEqual([framing, 400]);
      }
    }
    expect(backend.seen).toEqual([]);
  });

  it.each([
    'api/v1/..%2f..%2fadmin', 'api/v1/%2e%2e%2fadmin', 'api/v1/..%5cadmin', 'api/v1/../admin', 'api/v1/.%2e/x',
    'api/v1/..;/x', 'api/v1/a%2f../x', 'api/v1/%2e', 'api//v1/query', 'API/v1/query', 'api/v1', '%61pi/v1/query',
    'api/v1/\\..\\x', '../api/v1/query', './api/v1/query', 'api/v1/a#b/../c',
  ])('does not leave what reading needs by %j', async (path) => {
    backend.seen.length = 0;
    for (const way of ways) expect([403, 404]).toContain((await way.get(at(path), bearer(token))).status);
    expect(backend.seen).toEqual([]);
  });

  it('does not choose the host, in an absolute target or the header Host', async () => {
    for (const way of ways) {
      backend.seen.length = 0;
      const lines = `HTTP/1.1\r\nHost: metadata.internal\r\nAuthorization: Bearer ${token}\r\n`;
      const [absolute] = await way.exchange(`GET http://169.254.169.254${at()} ${lines}\r\n`);
      const upgrade = 'Connection: Upgrade, X-Scope-OrgID\r\nUpgrade: h2c\r\nX-Scope-OrgID: 1\r\n';
      const [upgraded] = await way.exchange(`GET ${at()} ${lines}${upgrade}\r\n`);
      expect([absolute!.status, upgraded!.status]).toEqual([200, 200]);
      for (const { headers } of backend.seen) {
        expect(headers).toMatchObject({ 'host': new URL(backend.url).host, 'x-scope-orgid': `platform.user.${acme.organization.id}` });
        expect(headers).not.toHaveProperty('upgrade');
      }
      const [connect] = await way.exchange(`CONNECT 127.0.0.1:22 ${lines}\r\n`);
      expect(connect!.status).toBe(404);
      const large = await way.get(at(), { headers: { ...bearer(token).headers, 'X-Large': 'x'.repeat(17_000) } });
      expect([large.status, (await way.get(at(`api/v1/${'x'.repeat(9_000)}`), bearer(token))).status]).toEqual([431, 414]);
    }
  });

  it('with two different tokens is refused, also in basic authentication', async () => {
    const basic = `Basic ${Buffer.from(`x:${token}`).toString('base64')}`;
    for (const way of ways) {
      const get = (...values: string[]) =>
        way.get(at(), { headers: values.map((value) => ['Authorization', value] as const) }).then(outcome);
      expect(await get(basic, `Bearer ${token}`)).toBe('200');
      expect(await get(basic, `Bearer ${mistaken}`)).toBe('400 ambiguous_credentials');
      expect(outcome(await way.get(at(`api/v1/query?token=${mistaken}`), bearer(token)))).toBe('400 ambiguous_credentials');
      expect(await get('Basic !', 'Basic')).toBe('401 unauthenticated');
      expect(await get(`Basic ${Buffer.from(mistaken).toString('base64')}`)).toBe('401 unauthenticated');
    }
  });

  it('without right does not take a place among the 200 queries of an identity', async () => {
    const [, service] = ways;
    const head = `POST ${at()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${mistaken}\r\nContent-Length: 9\r\n\r\n`;
    const waiting = Array.from({ length: 210 }, () => service!.exchange(head));
    expect(outcome(await service!.get(at(), bearer(token)))).toBe('200');
    expect(new Set((await Promise.all(waiting)).map(([answer]) => answer!.status))).toEqual(new Set([401]));
  });

  it('has 50 queries of an identity at once, all callers together 200, and not one more', async () => {
    const [, service] = ways;
    const people = [await world.person(), await world.person(), await world.person()];
    await world.join(acme.boss, acme.organization.teams.Viewers, ...people);
    const others = people.map((person) => person.token);
    const responses: { end(text: string): unknown }[] = [];
    await backend.during((_, response) => void responses.push(response), async () => {
      const fill = async (caller: string, most: number) => {
        const head = `GET ${at()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller}\r\n\r\n`;
        const waiting = Array.from({ length: 50 }, () => service!.exchange(head));
        await until(() => responses.length === most, { within: 20_000, what: `${most} queries are under way` });
        const refused = await service!.get(at(), bearer(caller));
        expect([outcome(refused), refused.header('retry-after')]).toEqual(['429 rate_limited', '1']);
        return waiting;
      };
      const waiting = await fill(token, 50);
      // Slow queries of one caller must not block other callers.
      for (const [index, caller] of [acme.boss.token, ...others.slice(0, 2)].entries()) {
        waiting.push(...await fill(caller, 100 + 50 * index));
      }
      expect(outcome(await service!.get(at(), bearer(others[2]!)))).toBe('429 rate_limited');
      for (const response of responses) response.end('{}');
      expect(new Set((await Promise.all(waiting)).map(([answer]) => answer!.status))).toEqual(new Set([200]));
    });
    expect(outcome(await service!.get(at(), bearer(token)))).toBe('200');
  });
});

describe('a backend', () => {
  it('sets no cookie, no cache, no page and no redirect under our address', async () => {
    for (const answer of await answered((_, response) => response.writeHead(200, {
      'Set-Cookie': 'session=1', 'Cache-Control': 'public, max-age=31536000', 'Expires': 'Fri, 31 Dec 2027 00:00:00 GMT',
      'Location': 'https://evil.example/', 'Refresh': '0; url=https://evil.example/', 'Content-Type': 'text/html',
      'Access-Control-Allow-Origin': '*', 'Content-Security-Policy': 'default-src *', 'Link': '</x>; rel=preload',
      'Strict-Transport-Security': 'max-age=0', 'Clear-Site-Data': '"*"', 'X-Request-Id': 'other',
      'WWW-Authenticate': 'Basic', 'Alt-Svc': 'h3="evil.example:443"',
    }).end('<form action=https://evil.example/>'))) {
      expect(answer.status).toBe(200);
      for (const name of [
        'set-cookie', 'expires', 'location', 'refresh', 'access-control-allow-origin', 'link', 'clear-site-data',
        'www-authenticate', 'alt-svc', 'strict-transport-security',
      ]) expect([name, answer.header(name)]).toEqual([name, undefined]);
      expect(answer.header('cache-control')).toBe('no-store');
      expect(answer.header('x-content-type-options')).toBe('nosniff');
      expect(answer.header('content-security-policy')).toMatch(/default-src 'none'.* sandbox$/);
      expect(answer.header('x-request-id')).not.toBe('other');
    }
  });

  it.each([
    [101, { Connection: 'Upgrade', Upgrade: 'websocket' }], [401, { 'WWW-Authenticate': 'Basic' }], [407, {}],
    [300, {}], [305, {}], [399, {}],
  ])('that answers %i is 502', async (status, headers) => {
    const answers = await answered((_, response) => {
      response.socket!.end(`HTTP/1.1 ${status} X\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    });
    expect(answers.map(outcome)).toEqual(['502 bad_upstream', '502 bad_upstream']);
    for (const answer of answers) expect(answer.header('www-authenticate')).toBeUndefined();
  });

  it.each([
    'nonsense\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    `HTTP/1.1 200 OK\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`, 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nBad Name: 1\r\n\r\n', '',
  ])('that does not speak HTTP is 502: %#', async (bytes) => {
    const answers = await answered((_, response) => response.socket!.end(bytes));
    expect(answers.map(outcome)).toEqual(['502 bad_upstream', '502 bad_upstream']);
  });

  it('with an answer that is not modified, or has no content, is passed on', async () => {
    const unchanged = await answered((request, response) => {
      response.writeHead(304, { 'ETag': request.headers['if-none-match']!, 'Content-Length': '1000' }).end();
    }, { 'If-None-Match': '"1"' });
    expect(unchanged.map(({ status, text }) => [status, text])).toEqual([[304, ''], [304, '']]);
    const empty = await answered((_, response) => response.writeHead(204).end());
    expect(empty.map(({ status }) => status)).toEqual([204, 204]);
  });

  it('that ends its answer too early cuts it: half an answer is never a whole one', async () => {
    const cut = await backend.during((_, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('{"half":', () => response.destroy());
    }, () => Promise.allSettled(ways.map((way) => way.get(at(), bearer(token)))));
    expect(cut.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(outcome(await ways[0]!.get(at(), bearer(token)))).toBe('200');
  });

  it('that is compressed is passed on as it is', async () => {
    const bomb = Buffer.from('1f8b08000000000000034bcc4a040000000000000000', 'hex');
    for (const answer of await answered((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': bomb.length }).end(bomb);
    }, { 'accept-encoding': 'gzip' })) {
      expect([answer.status, answer.header('content-encoding'), answer.header('content-length')])
        .toEqual([200, 'gzip', String(bomb.length)]);
    }
  });

  it('that is away is 502, for each method and body', async () => {
    const owner = await world.owner();
    ok(await owner.post(register, { backend: { url: `http://127.0.0.1:${await freePort()}` } }));
    for (const way of ways) {
      for (const body of ['query=up', 'x'.repeat(1_000_000)]) {
        const answer = await way.post(queryOf(owner.identity), { ...bearer(owner.boss.token), body });
        expect(outcome(answer)).toBe('502 bad_upstream');
      }
    }
  });

  it('that answers before it has read the body is passed on', async () => {
    const owner = await world.owner();
    const hasty = createServer((_, response) => response.writeHead(413, { Connection: 'close' }).end('too large'));
    const port = await freePort();
    await new Promise<void>((resolve) => hasty.listen(port, '127.0.0.1', resolve));
    ok(await owner.post(register, { backend: { url: `http://127.0.0.1:${port}` } }));
    for (const way of ways) {
      const head = `POST ${queryOf(owner.identity)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.boss.token}\r\n`;
      const [answer] = await way.exchange(`${head}Content-Length: 1000000\r\n\r\nquery=`);
      expect([answer!.status, answer!.text]).toEqual([413, 'too large']);
    }
    hasty.closeAllConnections();
    hasty.close();
  });
});

it('a flavor that is not configured is 503, and nothing is kept', async () => {
  const { identity, post } = await world.owner();
  const given = { backend: { url: backend.url } };
  expect(outcome(await post(registerB, given))).toBe('503 unavailable');
  expect(await world.rows.query(sql`select from backend where identity = ${identity}`)).toEqual([]);
  expect(outcome(await post(unregisterB, given))).toBe('200');
});

it('no credential is in anything that was written', async () => {
  for (const way of ways) {
    for (const carrier of [`?token=${mistaken}`, `?x=1&access_token=${mistaken}`]) await way.get(at(`api/v1/query${carrier}`));
    await way.get(at(), { headers: { authorization: `Basic ${Buffer.from(`x:${mistaken}`).toString('base64')}` } });
  }
  const written = Object.values(world.platform.services).flatMap(({ replicas }) => replicas.flatMap(({ log }) => log));
  expect(written.length).toBeGreaterThan(100);
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  for (const secret of [
    token, mistaken, password, acme.boss.token, encoded(`prom:${password}`), encoded(`x:${mistaken}`), encoded(`x:${token}`),
  ]) expect(written.filter((line) => line.includes(secret)).slice(0, 3)).toEqual([]);
});
