import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { createMetrics } from '@platform/service';
import { http, type HttpAnswer, until } from '@platform/testing';
import { startTestRest } from '../testdata/test-rest.ts';

const patience = { within: 60_000 };
const get = (path: string, more = '') => `GET /api/v1/${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

/** A gateway whose calls to `/wait/{name}` are answered when the test releases them. */
async function waitingGateway() {
  const metrics = createMetrics({ service: 'gateway', defaults: false });
  const calls: { name: string; letGo: () => void }[] = [];
  const running = await startTestRest({
    serve: { metrics },
    handlers: {
      Wait: async (request) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        calls.push({ name: String(request['name']), letGo: resolve });
        await promise;
        return request;
      },
    },
  });
  const called = (count: number) => until(() => calls.length >= count, { what: `${count} calls arrive`, ...patience });
  const client = http(running.baseUrl);
  return {
    calls,
    called,
    client,
    metrics,
    baseUrl: running.baseUrl,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await running[Symbol.asyncDispose]();
    },
  };
}

const shown = (answers: readonly HttpAnswer[]) => answers.map(({ status, text }) => `${status} ${text}`);

// RFC 9112 §9.3.2.
test('requests sent ahead are carried out one after the other, and answered in their order', async () => {
  const { calls, called, client, ...running } = await waitingGateway();
  const body = '{"text":"a"}';
  const post = `POST /api/v1/shapes HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const answering = client.exchange(get('wait/a') + post + get('wait/b') + get('things/c'), { answers: 4, ...patience });
  await called(1);
  // This request uses another connection. If the pipelined request had not waited, its call would have arrived.
  expect((await client.get('/api/v1/things/a', patience)).status).toBe(200);
  expect(calls.map(({ name }) => name)).toEqual(['a']);
  calls[0]!.letGo();
  await called(2);
  calls[1]!.letGo();
  const answers = await answering;
  expect(shown(answers)).toEqual([
    expect.stringMatching(/^200 .*"a"/), expect.stringMatching(/^200 .*"text":"a"/),
    expect.stringMatching(/^200 .*"b"/), expect.stringMatching(/^200 .*"c"/),
  ]);
  await running[Symbol.asyncDispose]();
});

test('one connection has one request under way, and no more is read than fits', async () => {
  const { baseUrl, calls, called, client, metrics, ...running } = await waitingGateway();
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(get('wait/a').repeat(400_000));
  await called(1);
  for (let count = 0; count < 20; count += 1) {
    expect((await client.get('/api/v1/things/a', patience)).status).toBe(200);
  }
  expect(calls).toHaveLength(1);
  expect((await metrics.render()).text).toMatch(/^http_requests_in_flight\S* 1$/m);
  expect(socket.writableLength).toBeGreaterThan(1024 * 1024);
  socket.destroy();
  calls[0]!.letGo();
  await running[Symbol.asyncDispose]();
});

test.each([
  ['at once', 65_536], ['byte by byte', 1], ['in parts of 7 bytes', 7],
])('requests sent ahead %s are all answered', async (_, size) => {
  const { baseUrl, ...running } = await waitingGateway();
  const body = JSON.stringify({ text: 'a' });
  const post = `POST /api/v1/shapes HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length + 4}\r\n\r\n\r\n\r\n${body}`;
  const count = size > 1_000 ? 1_500 : 10;
  const bytes = (get('things/a') + post).repeat(count);
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.setNoDelay(true);
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => (text += part));
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise((resolve) => socket.write(bytes.slice(at, at + size), resolve));
  }
  const answered = () => text.split('HTTP/1.1 200').length - 1;
  await until(() => answered() === 2 * count, { what: 'all answers', ...patience });
  expect(text.split('"text":"a"').length - 1).toBe(count);
  socket.destroy();
  await running[Symbol.asyncDispose]();
});

test('the call of a client who left while it was on its way is given up', async () => {
  const { calls, called, client, metrics, baseUrl, ...running } = await waitingGateway();
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  await once(socket, 'connect');
  // This is the first call, so the connection to the service opens while the caller leaves.
  socket.write(get('wait/a'));
  const inFlight = async () => /^http_requests_in_flight\S* (\d+)$/m.exec((await metrics.render()).text)?.[1];
  await until(async () => (await inFlight()) === '1', { what: 'the request is there', ...patience });
  socket.resetAndDestroy();
  await until(async () => (await inFlight()) === '0', { within: 15_000, what: 'no request is under way' });
  calls.forEach(({ letGo }) => letGo());
  await running[Symbol.asyncDispose]();
});

test.each([
  ['bytes that are no request', 'hello\r\n\r\n', 400],
  ['headers that are too large', get('things/b', `X-Filler: ${'a'.repeat(200_000)}\r\n`), 431],
  ['CONNECT', 'CONNECT /api/v1/wait/a HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ['a body in bad chunks', 'POST /api/v1/shapes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno\r\n', 400],
])('%s behind a request that is under way are refused after its answer', async (_, bytes, status) => {
  const { calls, called, client, ...running } = await waitingGateway();
  const answering = client.exchange(get('wait/a') + get('things/b') + bytes + get('things/smuggled'), {
    answers: 4, ...patience,
  });
  await called(1);
  expect((await client.get('/api/v1/things/a', patience)).status).toBe(200);
  calls[0]!.letGo();
  const answers = await answering;
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, status]);
  expect(answers.map(({ text }) => /"[ab]"/.exec(text)?.[0]).slice(0, 2)).toEqual(['"a"', '"b"']);
  await running[Symbol.asyncDispose]();
});

test('CONNECT of a client who leaves at once ends nothing', async () => {
  const { baseUrl, client, ...running } = await waitingGateway();
  for (let count = 0; count < 20; count += 1) {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('CONNECT x HTTP/1.1\r\nHost: x\r\n\r\nmore', () => socket.resetAndDestroy());
    await once(socket, 'close');
  }
  expect((await client.get('/api/v1/things/a', patience)).status).toBe(200);
  await running[Symbol.asyncDispose]();
});

test('a body of what looks like the end of headers is a body', async () => {
  const { client, ...running } = await waitingGateway();
  const body = `${'\r\n\r\n'.repeat(50_000)}{"text":"a"}`;
  const post = `POST /api/v1/shapes HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const answers = await client.exchange(post + get('things/b'), { answers: 2, ...patience });
  expect(shown(answers)).toEqual([expect.stringMatching(/^200 .*"text":"a"/), expect.stringMatching(/^200 .*"b"/)]);
  await running[Symbol.asyncDispose]();
});

test('requests that wait when the gateway stops are not carried out: nobody would get the answers', async () => {
  const { calls, called, client, ...running } = await waitingGateway();
  const answering = client.exchange(get('wait/a') + get('wait/b').repeat(3), { answers: 4, ...patience });
  await called(1);
  const stopped = running[Symbol.asyncDispose]();
  calls[0]!.letGo();
  expect((await answering).map(({ status, header }) => [status, header('connection')])).toEqual([[200, 'close']]);
  await stopped;
  expect(calls).toHaveLength(1);
});

test('nothing is carried out behind the last request of a connection', async () => {
  const { calls, called, client, ...running } = await waitingGateway();
  const answering = client.exchange(get('wait/a', 'Connection: close\r\n') + get('wait/b'), { answers: 2, ...patience });
  await called(1);
  calls[0]!.letGo();
  expect(shown(await answering)).toEqual([expect.stringMatching(/^200 .*"a"/)]);
  expect((await client.get('/api/v1/things/a', patience)).status).toBe(200);
  expect(calls).toHaveLength(1);
  await running[Symbol.asyncDispose]();
});
