import { afterAll, describe, expect, test } from '@jest/globals';
import { createServer, connect } from 'node:net';
import { createRateLimiter, sourceAddressBy } from '@platform/limits';
import { http, type HttpAnswer, until } from '@platform/testing';
import type { CallContext } from '@platform/rpc';
import { createLogger, createMetrics } from '@platform/service';
import { startTestRest, type TestRestOptions, testSurface } from '../testdata/test-rest.ts';
import { aliceToken, startTestService } from '../testdata/test-service.ts';

const echo = await startTestService(testSurface, {});

afterAll(async () => echo[Symbol.asyncDispose]());

/** Starts a gateway before the shared service, or before a service with the given handlers. */
async function gateway(options: TestRestOptions = {}) {
  const started = await startTestRest(options.handlers ? options : { addresses: [echo.address], ...options });
  const client = http(started.baseUrl);
  return {
    ...started,
    client,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await started[Symbol.asyncDispose]();
    },
  };
}

function refusalOf(answer: HttpAnswer | undefined): unknown[] {
  return [answer?.status, answer?.json<{ code: string }>().code, answer?.header('content-type')];
}

const jsonType = 'application/json';
const host = 'Host: x\r\n';
const coding = (value: string) => `Transfer-Encoding: ${value}\r\n`;
const chunked = `POST /api/v1/shapes HTTP/1.1\r\n${host}${coding('chunked')}\r\n`;

/** Open-points 1.9. */
describe('limits', () => {
  test('a URL beyond 8 KiB is 414, one that Node itself cannot take too', async () => {
    await using running = await gateway();
    const path = (length: number) => `/api/v1/things/${'a'.repeat(length - 15)}`;
    expect((await running.client.get(path(8192))).status).toBe(200);
    for (const length of [8193, 30_000, 200_000]) {
      const [answer] = await running.client.exchange(`GET ${path(length)} HTTP/1.1\r\n${host}\r\n`);
      expect(refusalOf(answer)).toEqual([414, 'uri_too_long', jsonType]);
    }
  });

  test('a header block beyond 16 KiB is 431, one that Node itself cannot take too', async () => {
    await using running = await gateway();
    const request = (length: number) =>
      `GET /api/v1/things/a HTTP/1.1\r\n${host}X-Filler: ${'a'.repeat(length)}\r\n\r\n`;
    expect((await running.client.exchange(request(16_000)))[0]!.status).toBe(200);
    for (const length of [16_400, 200_000]) {
      const [answer] = await running.client.exchange(request(length));
      expect(refusalOf(answer)).toEqual([431, 'headers_too_large', jsonType]);
      expect(answer!.header('x-request-id')).toBeDefined();
    }
  });

  test('no header is dropped for being one of many', async () => {
    await using running = await gateway();
    const filler = 'a:\r\n'.repeat(2_500);
    const [answer] = await running.client.exchange(
      `GET /api/v1/whoami HTTP/1.1\r\n${host}Authorization: token ${aliceToken}\r\n${filler}Authorization: token another-one\r\n\r\n`,
    );
    expect(refusalOf(answer)).toEqual([400, 'ambiguous_credentials', jsonType]);
  });

  test('a JSON body beyond 2 MiB is 413, announced or not, and the answer arrives', async () => {
    await using running = await gateway();
    const body = JSON.stringify({ text: 'a'.repeat(2 ** 21 - 11) });
    expect([body.length, (await running.client.post('/api/v1/shapes', { body })).status]).toEqual([2 ** 21, 200]);
    const announced = await running.client.post('/api/v1/shapes', { body: `${body} ` });
    expect([...refusalOf(announced), announced.header('connection')]).toEqual([
      413,
      'body_too_large',
      jsonType,
      'close',
    ]);
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const [chunked] = await running.client.exchange(
      `POST /api/v1/shapes HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(40)}0\r\n\r\n`,
    );
    expect(refusalOf(chunked)).toEqual([413, 'body_too_large', jsonType]);
  });

  test('a body in more than 4,000 small chunks is 413', async () => {
    await using running = await gateway();
    const inChunks = async (count: number, large = 0) => {
      const filler = '1\r\na\r\n'.repeat(count - 2) + `400\r\n${'a'.repeat(0x400)}\r\n`.repeat(large);
      const [answer] = await running.client.exchange(`${chunked}9\r\n{"text":"\r\n${filler}2\r\n"}\r\n0\r\n\r\n`);
      return answer;
    };
    expect((await inChunks(3_000, 1_500))?.status).toBe(200);
    expect(refusalOf(await inChunks(4_001))).toEqual([413, 'body_too_large', jsonType]);
  });

  test('a body that no handler reads is refused after 4,000 small chunks', async () => {
    await using running = await gateway();
    const inChunks = (count: number) => running.client.exchange(
      `GET /nowhere HTTP/1.1\r\n${host}${coding('chunked')}\r\n${'1\r\na\r\n'.repeat(count)}0\r\n\r\n`
      + `GET /nowhere HTTP/1.1\r\n${host}\r\n`,
    );
    expect((await inChunks(3_000)).map(({ status }) => status)).toEqual([404, 404]);
    expect((await inChunks(100_000)).map(({ status }) => status)).toEqual([413]);
  });

  test('a body that does not arrive is 408', async () => {
    await using running = await gateway({ limits: { bodyMs: 50 } });
    const [answer] = await running.client.exchange(
      `POST /api/v1/shapes HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\n{`,
    );
    expect([...refusalOf(answer), answer!.header('connection')]).toEqual([408, 'request_timeout', jsonType, 'close']);
  });

  test('a request that does not arrive is 408', async () => {
    await using running = await gateway({ limits: { requestMs: 200 } });
    const [answer] = await running.client.exchange('GET / HTTP/1.1\r\nHost');
    expect(refusalOf(answer)).toEqual([408, 'request_timeout', jsonType]);
  });

  test('bodies in memory are bounded together', async () => {
    await using running = await gateway({ limits: { bodiesInMemory: 4_000 } });
    const answer = await running.client.post('/api/v1/shapes', { json: { text: 'a'.repeat(1000) } });
    expect([...refusalOf(answer), answer.header('retry-after')]).toEqual([503, 'unavailable', jsonType, '1']);
    for (let count = 0; count < 5; count += 1) {
      expect((await running.client.post('/api/v1/shapes', { json: { text: 'a'.repeat(600) } })).status).toBe(200);
    }
  });

  test('a call that takes too long is 504, and is cancelled at the service', async () => {
    const stopped: string[] = [];
    await using running = await gateway({
      limits: { requestMs: 300 },
      handlers: { Wait: ({ name }, context) => whenStopped(context, () => stopped.push(String(name))) },
    });
    expect(refusalOf(await running.client.get('/api/v1/wait/a'))).toEqual([504, 'deadline_exceeded', jsonType]);
    await until(() => stopped.includes('a'), { what: 'the service stops' });
  });

  test('the call ends when its caller goes away', async () => {
    const seen: string[] = [];
    const stopped: string[] = [];
    await using running = await gateway({
      handlers: {
        Wait: ({ name }, context) => {
          seen.push(String(name));
          return whenStopped(context, () => stopped.push(String(name)));
        },
      },
    });
    const socket = connect(Number(new URL(running.baseUrl).port), '127.0.0.1');
    socket.write(`GET /api/v1/wait/b HTTP/1.1\r\n${host}\r\n`);
    await until(() => seen.includes('b'), { what: 'the call arrives' });
    socket.destroy();
    await until(() => stopped.includes('b'), { what: 'the call is cancelled' });
  });

  test.each<[string, string]>([
    ['two lengths', `POST /api/v1/shapes HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `],
    [
      'a length and chunks',
      `POST /api/v1/shapes HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a space before the colon', `GET / HTTP/1.1\r\n${host}A : b\r\n\r\n`],
    ['a folded header', `GET / HTTP/1.1\r\n${host}A: b\r\n c: d\r\n\r\n`],
    ['an unknown coding', `POST /api/v1/shapes HTTP/1.1\r\n${host}Transfer-Encoding: odd\r\n\r\n`],
    ['a coding before chunked', `POST /api/v1/shapes HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['a coding in a header before', `POST /api/v1/shapes HTTP/1.1\r\n${host}${coding('gzip')}${coding('chunked')}\r\n0\r\n\r\n`],
    ['a coding behind chunked', `POST /api/v1/shapes HTTP/1.1\r\n${host}${coding('chunked, gzip')}\r\n0\r\n\r\n`],
    ['chunks twice', `POST /api/v1/shapes HTTP/1.1\r\n${host}${coding('chunked, chunked')}\r\n0\r\n\r\n`],
    ['chunks in HTTP/1.0', `POST /api/v1/shapes HTTP/1.0\r\n${host}${coding('chunked')}\r\n0\r\n\r\n`],
    ...['0x2', '-2', '+2', ' 2 2', '2, 2', '', '1e1', '99999999999999999999'].map((length): [string, string] => [
      `a length of "${length}"`, `POST /api/v1/shapes HTTP/1.1\r\n${host}Content-Length: ${length}\r\n\r\n{}`,
    ]),
    ...['-1', '0x2', ' 2', '2 ', '2;\n', '2;a\rb', 'fffffffffffffffff', '+2', '', ';'].map((size): [string, string] => [
      `chunks of ${JSON.stringify(size)}`, `${chunked}${size}\r\n{}\r\n0\r\n\r\n`,
    ]),
    ['a chunk that is longer than it says', `${chunked}2\r\n{}}\r\n0\r\n\r\n`],
    ['a chunk that ends in a bare LF', `${chunked}2\r\n{}\n0\r\n\r\n`],
    ['chunks spelled with a vertical tab', `POST /api/v1/shapes HTTP/1.1\r\n${host}${coding('\x0bchunked')}\r\n0\r\n\r\n`],
    ['a coding with a space in its name', `POST /api/v1/shapes HTTP/1.1\r\n${host}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ['a header that ends in a bare LF', `GET /api/v1/things/a HTTP/1.1\r\n${host}A: b\nC: d\r\n\r\n`],
    ['a header that ends in a bare CR', `GET /api/v1/things/a HTTP/1.1\r\n${host}A: b\rC: d\r\n\r\n`],
    ['a request line that ends in a bare LF', `GET /api/v1/things/a HTTP/1.1\n${host}\r\n`],
    ['NUL in a header', `GET /api/v1/things/a HTTP/1.1\r\n${host}A: b\0c\r\n\r\n`],
    ['NUL in the target', `GET /api/v1/things/a\0 HTTP/1.1\r\n${host}\r\n`],
    ['a header without a name', `GET /api/v1/things/a HTTP/1.1\r\n${host}: b\r\n\r\n`],
    ['a header without a colon', `GET /api/v1/things/a HTTP/1.1\r\n${host}A\r\n\r\n`],
    ['a space before the first header', `GET /api/v1/things/a HTTP/1.1\r\n ${host}\r\n`],
    ['a space before the method', ` GET /api/v1/things/a HTTP/1.1\r\n${host}\r\n`],
    ['no host', 'GET /api/v1/things/a HTTP/1.1\r\n\r\n'],
    ['two hosts', `GET /api/v1/things/a HTTP/1.1\r\n${host}hOST: x\r\n\r\n`],
    ['an invalid host', 'GET /api/v1/things/a HTTP/1.1\r\nHost: user@x/y\r\n\r\n'],
    ...['0.9', '1.2', '2.0', '9.9', '11'].map((version): [string, string] => [
      `HTTP/${version}`, `GET /api/v1/things/a HTTP/${version}\r\n${host}\r\n`,
    ]),
    ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
  ])('%s is 400 with the usual body, and ends the connection', async (_, bytes) => {
    await using running = await gateway();
    const answers = await running.client.exchange(`${bytes}GET /api/v1/things/smuggled HTTP/1.1\r\n${host}\r\n`, {
      answers: 2,
    });
    expect(answers.map(refusalOf)).toEqual([[400, 'invalid_parameter', jsonType]]);
  });
});

describe('rates', () => {
  const rates = { anonymous: { perSecond: 0.001, burst: 3 }, failedCredentials: { perSecond: 0.001, burst: 2 }, account: { perSecond: 1, burst: 1 } };
  const serve = { rateLimiter: createRateLimiter(rates), sourceAddress: sourceAddressBy(['127.0.0.0/8']) };
  const from = (address: string, more: Record<string, string> = {}) => ({
    headers: { 'X-Forwarded-For': address, ...more },
  });

  test('anonymous requests are limited per source address, others are not', async () => {
    await using running = await gateway({ serve });
    const statuses = [];
    for (let count = 0; count < 4; count += 1)
      statuses.push((await running.client.get('/api/v1/things/a', from('192.0.2.1'))).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await running.client.get('/api/v1/things/a', from('192.0.2.1'));
    expect(refusalOf(refused)).toEqual([429, 'rate_limited', jsonType]);
    expect([refused.header('ratelimit'), refused.header('ratelimit-policy')]).toEqual([
      '"anonymous";r=0;t=1000',
      '"anonymous";q=3;w=3000',
    ]);
    expect(Number(refused.header('retry-after'))).toBeGreaterThan(0);
    expect((await running.client.get('/api/v1/things/a', from('192.0.2.2'))).status).toBe(200);
    expect(
      (await running.client.get('/api/v1/whoami', from('192.0.2.1', { Authorization: `token ${aliceToken}` }))).status,
    ).toBe(200);
    expect((await running.client.get('/livez', from('192.0.2.1'))).status).toBe(200);
  });

  test('local routes count as any anonymous request, except unlimited ones', async () => {
    await using running = await gateway({ serve });
    const client = running.client;
    const page = (path: string) => client.get(path, from('192.0.2.4'));
    const paths = ['/page', '/api/v1/things/a', '/page', '/page'];
    const answers = [];
    for (const path of paths) answers.push(await page(path));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(refusalOf(answers[3]!)).toEqual([429, 'rate_limited', jsonType]);
    expect((await page('/livez')).status).toBe(200);
  });

  test('a whole IPv6 network counts as one source', async () => {
    await using running = await gateway({ serve });
    const statuses = [];
    for (let host = 1; host <= 4; host += 1)
      statuses.push((await running.client.get('/api/v1/things/a', from(`2001:db8::${host}`))).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await running.client.get('/api/v1/things/a', from('2001:db8:0:1::1'))).status).toBe(200);
  });

  test('bad credentials are limited per source address, good ones never', async () => {
    await using running = await gateway({ serve });
    const bad = async () =>
      (await running.client.get('/api/v1/whoami', from('192.0.2.3', { Authorization: 'token not-a-known-one' })))
        .status;
    expect([await bad(), await bad(), await bad()]).toEqual([401, 401, 429]);
    const good = await running.client.get(
      '/api/v1/whoami',
      from('192.0.2.3', { Authorization: `token ${aliceToken}` }),
    );
    expect(good.status).toBe(200);
  });

  const target = '/api/v1/members/1?org=acme';
  const post = (address: string, token: string, length: number) =>
    `POST ${target} HTTP/1.1\r\n${host}X-Forwarded-For: ${address}\r\nAuthorization: token ${token}\r\n` +
    `Content-Length: ${length}\r\n\r\n`;

  test('no body over 64 KiB is read for a token that nobody has', async () => {
    await using running = await gateway({ serve });
    const [refused] = await running.client.exchange(post('192.0.2.5', 'not-a-known-one', 65_537));
    expect([...refusalOf(refused), refused?.header('connection')]).toEqual([401, 'unauthenticated', jsonType, 'close']);
    const unsized = post('192.0.2.6', 'not-a-known-one', 0).replace('Content-Length: 0', 'Transfer-Encoding: chunked');
    expect(refusalOf((await running.client.exchange(unsized))[0])).toEqual([401, 'unauthenticated', jsonType]);
  });

  test('no body is read for a bad token from where too many came', async () => {
    await using running = await gateway({ serve });
    const path = '/api/v1/whoami';
    for (const expected of [401, 401, 429]) {
      const request = from('192.0.2.7', { Authorization: 'token not-a-known-one' });
      expect((await running.client.get(path, request)).status).toBe(expected);
    }
    const [refused] = await running.client.exchange(post('192.0.2.7', 'not-a-known-one', 2));
    expect(refusalOf(refused)).toEqual([429, 'rate_limited', jsonType]);
    const good = { ...from('192.0.2.7', { Authorization: `token ${aliceToken}` }), json: { role: 'a' } };
    expect((await running.client.post(target, good)).status).toBe(200);
  });

  test('a large body of a known caller is handed on once', async () => {
    let calls = 0;
    const ChangeMember = (message: Record<string, unknown>) => {
      calls += 1;
      return message;
    };
    await using running = await gateway({ handlers: { ChangeMember } });
    const sent = { headers: { Authorization: `token ${aliceToken}` }, json: { role: 'a'.repeat(100_000) } };
    expect((await running.client.post(target, sent)).status).toBe(200);
    expect(calls).toBe(1);
  });

  test('without the service, no body over 64 KiB is read', async () => {
    await using running = await gateway({ addresses: ['127.0.0.1:9'] });
    const [refused] = await running.client.exchange(post('192.0.2.8', aliceToken, 65_537));
    expect(refusalOf(refused)).toEqual([503, 'unavailable', jsonType]);
  });
});

describe('life', () => {
  test('a service that is away is 503 with Retry-After', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    await new Promise((resolve) => taken.close(resolve));
    await using running = await gateway({ addresses: [`127.0.0.1:${port}`] });
    const answer = await running.client.get('/api/v1/things/a');
    expect([...refusalOf(answer), Number(answer.header('retry-after')) >= 1]).toEqual([
      503,
      'unavailable',
      jsonType,
      true,
    ]);
  });

  test('each request is one line and one count, without its query', async () => {
    const lines: string[] = [];
    const log = createLogger({ service: 'gateway', destination: { write: (line) => void lines.push(line) } });
    const metrics = createMetrics({ service: 'gateway', defaults: false });
    await using running = await gateway({ serve: { log, metrics } });
    await running.client.get(`/api/v1/things/a?token=${aliceToken}&secret=thing`, {
      headers: { 'X-Request-Id': 'r-1' },
    });
    await running.client.get('/api/v1/no/such/path');
    const first = JSON.parse(lines[0]!) as Record<string, unknown>;
    expect(first).toMatchObject({
      requestId: 'r-1',
      method: 'GET',
      route: '/api/v1/things/{name}',
      status: 200,
      address: '127.0.0.1',
    });
    expect([lines.length, lines.join('').includes(aliceToken), lines.join('').includes('thing"')]).toEqual([
      2,
      false,
      false,
    ]);
    const { text } = await metrics.render();
    expect(text).toContain(
      'http_requests_total{method="GET",route="/api/v1/things/{name}",status="200",service="gateway"} 1',
    );
    expect(text).toContain('http_requests_total{method="GET",route="unmatched",status="404",service="gateway"} 1');
    expect(text).toMatch(/^http_request_duration_seconds_count\{.*route="\/api\/v1\/things\/\{name\}".*\} 1$/m);
  });

  test.each([
    ['GARBAGE\r\n\r\n', 400, { reason: 'INVALID_PARAMETER' }],
    ['BREW /api/v1/whoami?token=mine HTTP/1.1\r\nHost: x\r\n\r\n', 405, { reason: 'METHOD_NOT_ALLOWED', path: '/api/v1/whoami' }],
    [
      'CONNECT /api/v1/whoami HTTP/1.1\r\nHost: x\r\nX-Request-Id: r-2\r\n\r\n',
      405, { requestId: 'r-2', reason: 'METHOD_NOT_ALLOWED' },
    ],
  ])('a malformed request is one line and one count, too: %j', async (bytes, status, told) => {
    const lines: string[] = [];
    const log = createLogger({ service: 'gateway', destination: { write: (line) => void lines.push(line) } });
    const metrics = createMetrics({ service: 'gateway', defaults: false });
    await using running = await gateway({ serve: { log, metrics } });
    const [answer] = await running.client.exchange(bytes, { answers: 1 });
    expect([answer!.status, Date.parse(answer!.header('date') ?? '') > 0]).toEqual([status, true]);
    const requestId = answer!.header('x-request-id');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ requestId, status, address: '127.0.0.1', ...told }),
    ]);
    expect(lines.join('')).not.toContain('mine');
    expect((await metrics.render()).text).toMatch(new RegExp(`^http_requests_total\\{.*route="unmatched",status="${status}".*\\} 1$`, 'm'));
  });
});

function whenStopped(
  { cancelled, deadline }: CallContext & { cancelled?: AbortSignal },
  stopped: () => void,
): Promise<never> {
  const signal = AbortSignal.any([deadline.signal, ...(cancelled ? [cancelled] : [])]);
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      stopped();
      reject(new Error('stopped'));
    });
  });
}
