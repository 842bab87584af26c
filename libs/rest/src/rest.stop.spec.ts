import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { http, until } from '@platform/testing';
import { startTestRest, type TestRest } from '../testdata/test-rest.ts';

const patience = { within: 60_000 };
const get = (path: string) => `GET /api/v1/${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** A gateway whose calls to `/wait/{name}` are answered when the test releases all of them. */
async function waitingGateway() {
  const { promise: letGo, resolve } = Promise.withResolvers<void>();
  const calls: string[] = [];
  const running = await startTestRest({
    handlers: {
      Wait: async (request) => {
        calls.push(String(request['name']));
        await letGo;
        return request;
      },
    },
  });
  const called = (count: number) => until(() => calls.length >= count, { what: `${count} calls arrive`, ...patience });
  return { running, called, letGo: resolve };
}

/** A connection, and everything it receives until it ends. */
function connection({ baseUrl }: TestRest): { socket: Socket; opened: Promise<unknown>; sent: Promise<string> } {
  const { port, hostname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  return { socket, opened: once(socket, 'connect'), sent: text(socket) };
}

/** Resolves when no server listens on the address any more. */
function refused({ baseUrl }: TestRest): Promise<unknown> {
  const connects = async () => {
    await using client = http(baseUrl);
    await client.get('/livez', patience);
  };
  return until(() => connects().then(() => false, () => true), { what: 'new connections are refused', ...patience });
}

/** Blocks the event loop, as a busy machine may do. */
function blockFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const shown = (sent: string) => sent.match(/HTTP\/1\.1 \d+|\r\nConnection: \S+/g)?.map((part) => part.trim());
const [first, last] = [['HTTP/1.1 200', 'Connection: keep-alive'], ['HTTP/1.1 200', 'Connection: close']];

describe('a stop', () => {
  test('finishes what was accepted and takes nothing new', async () => {
    const { running, called, letGo } = await waitingGateway();
    const { socket, sent } = connection(running);
    socket.write(get('wait/a'));
    await called(1);
    const stopped = running[Symbol.asyncDispose]();
    await refused(running);
    letGo();
    expect(shown(await sent)).toEqual(last);
    await stopped;
  });

  test('answers what is on its way over kept connections, by half too, and ends those that stay silent', async () => {
    const { running, called, letGo } = await waitingGateway();
    const [kept, half, silent] = [connection(running), connection(running), connection(running)];
    for (const { socket } of [kept, silent]) {
      socket.write(get('things/a'));
      await until(() => socket.bytesRead > 0, { what: 'the first answer comes', ...patience });
    }
    half.socket.write(get('wait/a').slice(0, 25));
    const stopped = running[Symbol.asyncDispose]();
    await refused(running);
    kept.socket.write(get('things/b'));
    half.socket.write(get('wait/a').slice(25));
    await called(1);
    expect(shown(await silent.sent)).toEqual(first);
    expect(shown(await kept.sent)).toEqual([...first, ...last]);
    letGo();
    expect(shown(await half.sent)).toEqual(last);
    await stopped;
  });

  test('answers those that wait for their connection to be accepted', async () => {
    const running = await startTestRest();
    const connections = Array.from({ length: 50 }, () => connection(running));
    await Promise.all(connections.map(({ opened }) => opened));
    const stopped = running[Symbol.asyncDispose]();
    for (const { socket } of connections) socket.write(get('things/a'));
    const answers = await Promise.all(connections.map(({ sent }) => sent));
    expect(answers.map(shown)).toEqual(connections.map(() => last));
    await stopped;
  });

  test('answers them also where the event loop turns slowly', async () => {
    const running = await startTestRest();
    const connections = Array.from({ length: 50 }, () => connection(running));
    await Promise.all(connections.map(({ opened }) => opened));
    const stopped = running[Symbol.asyncDispose]();
    for (const { socket } of connections) socket.write(get('things/a'));
    for (let turn = 0; turn < 6; turn += 1) {
      blockFor(300);
      await nextTurn();
    }
    const answers = await Promise.all(connections.map(({ sent }) => sent));
    expect(answers.map(shown)).toEqual(connections.map(() => last));
    await stopped;
  });
});
