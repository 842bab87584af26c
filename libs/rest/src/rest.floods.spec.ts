import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createRouter, page, pageRoute } from '@platform/http';
import { createRateLimiter, sourceAddressBy } from '@platform/limits';
import { createMetrics, createReadiness } from '@platform/service';
import { http, type HttpClient, until } from '@platform/testing';
import { startTestRest, type TestRest, testSurface } from '../testdata/test-rest.ts';
import { startTestService } from '../testdata/test-service.ts';

const mebibyte = 1024 * 1024;
/** Time limit of a flood, which takes long on a busy machine. */
const patience = { within: 60_000 };
const metrics = createMetrics({ service: 'gateway', defaults: false });
/** Each kind of flood has its own source, so that one flood does not use up the requests of another. */
const [honestCaller, flooder, slowCaller] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];

let service: Awaited<ReturnType<typeof startTestService>>;
let gateway: TestRest;
let client: HttpClient;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await startTestService(testSurface, {});
  const rate = { perSecond: 0.001, burst: 100 };
  gateway = await startTestRest({
    addresses: [service.address],
    limits: { bodiesInMemory: 8 * mebibyte, bodyMs: 2 * patience.within },
    serve: {
      metrics,
      rateLimiter: createRateLimiter({ anonymous: rate, failedCredentials: rate, account: rate }),
      // The gateway trusts this spec as a proxy, so the spec chooses the source address.
      sourceAddress: sourceAddressBy(['127.0.0.0/8']),
    },
  });
  client = http(gateway.baseUrl);
});
afterEach(async () => {
  sockets.splice(0).forEach((socket) => socket.destroy());
  await until(async () => (await heldBytes()) === 0, { what: 'no bytes of bodies are held', ...patience });
}, patience.within);
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

async function heldBytes(): Promise<number> {
  const [, bytes] = /^http_bodies_in_memory_bytes\{[^}]*\} (\d+)/m.exec((await metrics.render()).text) ?? [];
  return Number(bytes);
}

/** Opens connections that send this text and then nothing. */
async function open(count: number, bytes: string | Buffer, { baseUrl } = gateway): Promise<Socket[]> {
  const opened = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      if (bytes.length > 0) socket.write(bytes);
      return socket;
    }),
  );
  sockets.push(...opened);
  return opened;
}

async function honestIsServed(): Promise<void> {
  const headers = { 'X-Forwarded-For': honestCaller };
  const read = await client.get('/api/v1/things/a', { headers, ...patience });
  const json = { text: 'a'.repeat(mebibyte) };
  const written = await client.post('/api/v1/shapes', { headers, json, ...patience });
  expect([read.status, written.status]).toEqual([200, 200]);
}

const head = (more: string) => `POST /api/v1/shapes HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${slowCaller}\r\n${more}`;

// A flood uses up only the share of its sender (open-points 1.9).
test('an honest caller is served while another floods with requests', async () => {
  const headers = { 'X-Forwarded-For': flooder };
  const statuses = await Promise.all(
    Array.from({ length: 300 }, async () => (await client.get('/api/v1/things/a', { headers, ...patience })).status),
  );
  expect(statuses.filter((status) => status === 429)).toHaveLength(200);
  await honestIsServed();
}, 2 * patience.within);

test('an honest caller is served while another holds connections and says nothing', async () => {
  await open(400, '');
  await honestIsServed();
}, 2 * patience.within);

// If readiness failed, a load balancer would send the same flood to the next replica.
test('a gateway that is full of connections says so, and stays ready', async () => {
  const readiness = createReadiness();
  await using small = await startTestRest({ addresses: [service.address], serve: { readiness, fileHandles: 8 } });
  const before = await readiness.report();
  const opened = await open(6, '', small);
  await until(async () => (await readiness.report()).checks.some(({ ok }) => !ok), { what: 'it says so', ...patience });
  const full = await readiness.report();
  expect([before, full]).toEqual([
    { ready: true, stopping: false, checks: [{ name: 'connections', ok: true, needed: false }] },
    {
      ready: true,
      stopping: false,
      checks: [{ name: 'connections', ok: false, reason: 'there are 6 connections, which is the limit', needed: false }],
    },
  ]);
  opened.forEach((socket) => socket.destroy());
}, 2 * patience.within);

test('an honest caller is served while another floods with headers that never end', async () => {
  const begun = await open(200, head('X-Filler: '));
  begun.forEach((socket) => socket.write('a'.repeat(8 * 1024)));
  await honestIsServed();
}, 2 * patience.within);

test('an honest caller is served while bodies of another arrive slowly, and those take their share at most', async () => {
  const part = Buffer.alloc(256 * 1024, ' ');
  const begun = await open(50, head(`Content-Length: ${2 * part.length}\r\n\r\n`));
  const refused = new Set<Socket>();
  for (const socket of begun) {
    socket.on('data', (answer) => String(answer).startsWith('HTTP/1.1 503') && refused.add(socket));
    socket.write(part);
  }
  // One source may use a quarter of the memory. Eight parts fill this quarter; the gateway refuses further parts.
  await until(() => refused.size >= 42, { what: 'the others are refused', ...patience });
  expect(await heldBytes()).toBeLessThanOrEqual(2 * mebibyte);
  await honestIsServed();
}, 2 * patience.within);

test('an honest caller is served while another reads no answers, and the oldest of those are cut', async () => {
  // More than the operating system buffers for a connection.
  const large = Buffer.alloc(16 * mebibyte);
  const pages = createRouter();
  pageRoute(pages, '/large').get(page(() => ({ status: 200, headers: [], body: large })));
  await using running = await startTestRest({
    addresses: [service.address],
    limits: { unreadAnswers: 8 * large.length },
    serve: { pages, sourceAddress: sourceAddressBy(['127.0.0.0/8']) },
  });
  const asked = (source: string) => `GET /large HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${source}\r\n\r\n`;
  const unread: Socket[] = [];
  for (let count = 0; count < 5; count += 1) {
    const [socket] = await open(1, asked(slowCaller), running);
    // The answer has begun; the rest of it is not read.
    await once(socket!, 'readable');
    unread.push(socket!);
  }
  const read = async (socket: Socket): Promise<number> => {
    let bytes = 0;
    socket.on('data', (piece) => {
      bytes += piece.length;
      if (bytes > large.length) socket.end();
    });
    await once(socket, 'close');
    return bytes;
  };
  const [honest] = await open(1, asked(honestCaller), running);
  expect(await read(honest!)).toBeGreaterThan(large.length);
  const whole = (await Promise.all(unread.map(read))).map((bytes) => bytes > large.length);
  expect(whole).toEqual([false, false, false, true, true]);
}, 2 * patience.within);
