import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lyingBus } from './lying-bus.ts';
import { listen } from './sockets.ts';
import { tcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

/** Returns every piece of data unchanged, and answers a FIN with a FIN. */
const echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
let target: string;

beforeAll(async () => {
  target = await listen(echo);
});
afterAll(() => void echo.close());

interface Caller {
  socket: Socket;
  /** All data received so far. */
  received(): string;
  /** The error code of the lost connection; undefined while it is open. */
  lost: Promise<string | undefined>;
}

function call(proxy: TcpProxy): Caller {
  const socket = connect(proxy.port, '127.0.0.1').setEncoding('utf8');
  let received = '';
  let code: string | undefined;
  socket.on('data', (text) => (received += text.toString()));
  socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code));
  const lost = new Promise<string | undefined>((resolve) => socket.once('close', () => resolve(code)));
  return { socket, received: () => received, lost };
}

const answered = (caller: Caller, text: string) =>
  until(() => caller.received() === text, { what: `${text} came back` });

/** Sends a text over a separate connection, and returns everything that comes back. */
async function echoed(proxy: TcpProxy, text: string): Promise<string> {
  const caller = call(proxy);
  caller.socket.end(text);
  await caller.lost;
  return caller.received();
}

describe('a TCP proxy', () => {
  it('passes data and the end of each side', async () => {
    await using proxy = await tcpProxy(target);
    const caller = call(proxy);
    caller.socket.end('hello');
    await expect(caller.lost).resolves.toBeUndefined();
    expect(caller.received()).toBe('hello');
    expect(proxy.bytes).toEqual({ fromClients: 5, toTarget: 5, fromTarget: 5 });
    await until(() => proxy.connections.open === 0, { what: 'the connection is closed' });
    expect(proxy.connections.total).toBe(1);
  });

  it('holds what is sent until it is released', async () => {
    await using proxy = await tcpProxy(target);
    const caller = call(proxy);
    caller.socket.write('one ');
    await answered(caller, 'one ');
    proxy.hold();
    caller.socket.write('two ');
    const second = call(proxy);
    second.socket.end('three');
    await until(() => proxy.connections.open === 2, { what: 'a held proxy takes connections' });
    expect(proxy.bytes.toTarget).toBe(4);
    await proxy.release();
    await answered(caller, 'one two ');
    await expect(second.lost).resolves.toBeUndefined();
    expect(second.received()).toBe('three');
    caller.socket.destroy();
  });

  it('delays each direction', async () => {
    await using proxy = await tcpProxy(target);
    proxy.delay(60);
    const caller = call(proxy);
    const begun = performance.now();
    caller.socket.write('slow');
    await answered(caller, 'slow');
    // Timers may fire up to a millisecond early.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(118);
    caller.socket.destroy();
  });

  it('cuts an answer in its middle', async () => {
    await using proxy = await tcpProxy(target);
    proxy.cutAfter(3);
    const caller = call(proxy);
    caller.socket.write('abcdef');
    await expect(caller.lost).resolves.toBe('ECONNRESET');
    expect('abc'.startsWith(caller.received())).toBe(true);
    expect(proxy.bytes.fromTarget).toBe(3);
    await proxy.release();
    expect(await echoed(proxy, 'abcdef')).toBe('abcdef');
  });

  it('resets open connections at once', async () => {
    await using proxy = await tcpProxy(target);
    const caller = call(proxy);
    caller.socket.write('x');
    await answered(caller, 'x');
    proxy.cut();
    await expect(caller.lost).resolves.toBe('ECONNRESET');
  });

  it('leads to another server until it is released', async () => {
    await using proxy = await tcpProxy(target);
    await using other = await lyingBus();
    other.lie({ says: 'other' });
    proxy.divert(other.address);
    await answered(call(proxy), 'other');
    await proxy.release();
    expect(await echoed(proxy, 'true')).toBe('true');
  });

  it('refuses connections until it is released, on the same port', async () => {
    await using proxy = await tcpProxy(target);
    await proxy.refuse();
    await expect(call(proxy).lost).resolves.toBe('ECONNREFUSED');
    await proxy.release();
    expect(await echoed(proxy, 'back')).toBe('back');
  });

  it('passes large answers whole', async () => {
    await using proxy = await tcpProxy(target);
    const megabytes = 'm'.repeat(8 * 1024 * 1024);
    expect((await echoed(proxy, megabytes)).length).toBe(megabytes.length);
  });
});
