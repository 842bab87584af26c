import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createRateLimiter, sourceAddressBy } from '@platform/limits';
import { createLogger } from '@platform/service';
import { until } from '@platform/testing';
import { serviceCredential } from '../fixtures/guarded-world.ts';
import { serveVersion } from '../fixtures/version-server.ts';
import { wire } from '../wire/wire.ts';
import { usualArrivingLimits } from './arriving.ts';
import type { LeavingLimits } from './leaving.ts';

const { NGHTTP2_CANCEL: cancel, NGHTTP2_ENHANCE_YOUR_CALM: calm } = constants;
const kibibyte = 1024;
const version = 'v'.repeat(40 * kibibyte);
/** One source may leave 100 KiB unread, which is two answers, and may reset one call. */
const leaving: LeavingLimits = { unread: 400 * kibibyte, resets: { perSecond: 0.001, burst: 1 } };

let running: AsyncDisposableStack;
let address: string;
let log: string[];

beforeEach(async () => {
  running = new AsyncDisposableStack();
  log = [];
  // Most handlers wait for something, such as rows, before they answer.
  const server = await serveVersion(() => pause(5, version), {
    arrivingLimits: { ...usualArrivingLimits, leaving },
    directLimits: { rateLimiter: createRateLimiter(undefined), sourceAddress: sourceAddressBy(['127.0.0.0/8']) },
    log: createLogger({ service: 'spec', level: 'warn', destination: { write: (line) => log.push(line) } }),
  });
  address = running.use(server).address;
});
afterEach(() => running.disposeAsync());

/** A connection that reads no answers until its window is enlarged. */
async function open(): Promise<ClientHttp2Session> {
  const session = connectHttp2(`http://${address}`, { settings: { initialWindowSize: 0 } });
  running.defer(() => session.destroy());
  session.on('error', () => undefined);
  await once(session, 'connect');
  return session;
}

function call(session: ClientHttp2Session, headers: Record<string, string> = {}) {
  const stream = session.request({
    ':method': 'POST', ':path': '/controlplane.version.v1.VersionService/GetVersion', 'content-type': 'application/grpc',
    'te': 'trailers', ...headers,
  });
  stream.on('error', () => undefined);
  stream.end(Buffer.alloc(5));
  return stream;
}

/** Makes calls whose answers begin, but are not read. */
async function unread(session: ClientHttp2Session, count: number, headers: Record<string, string> = {}) {
  const calls = [];
  for (let index = 0; index < count; index += 1) {
    const stream = call(session, headers);
    calls.push(stream);
    await once(stream, 'response');
  }
  return calls;
}

/** Resolves when the server has processed everything that was sent before. */
const ping = (session: ClientHttp2Session) => new Promise((resolve) => void session.ping(resolve));

it('cuts the oldest answers of a source that reads none, and no others', async () => {
  const session = await open();
  const [other] = await unread(session, 1, { 'x-forwarded-for': '192.0.2.2' });
  const calls = await unread(session, 5, { 'x-forwarded-for': '192.0.2.1' });
  await until(() => calls.filter(({ closed }) => closed).length === 3, { what: 'three answers are cut' });
  expect(calls.map(({ rstCode }) => rstCode)).toEqual([calm, calm, calm, 0, 0]);
  expect(other!.closed).toBe(false);
  expect(log.filter((line) => line.includes('an answer was cut off: the client does not read it'))).toHaveLength(1);

  // Reading an answer frees its memory.
  session.settings({ initialWindowSize: 1024 * kibibyte });
  for (const stream of [other!, ...calls.slice(3)]) {
    stream.resume();
    const [trailers] = await once(stream, 'trailers') as [Record<string, string>];
    expect(trailers['grpc-status']).toBe('0');
  }
});

it('leaves the answers of services of ours alone', async () => {
  const session = await open();
  const calls = await unread(session, 5, { [wire.serviceCredential]: serviceCredential.reveal() });
  const [last] = await unread(session, 1, { 'x-forwarded-for': '192.0.2.1' });
  expect([...calls, last!].map(({ closed }) => closed)).toEqual(calls.concat(last!).map(() => false));
});

it('tells a source that resets its calls to enhance its calm, on each connection', async () => {
  const other = await open();
  for (const allowed of [leaving.resets.burst, 0]) {
    const session = await open();
    const goneAway = once(session, 'goaway');
    for (let count = 0; count < allowed; count += 1) call(session, { 'x-forwarded-for': '192.0.2.1' }).close(cancel);
    await ping(session);
    expect(session.destroyed).toBe(false);
    call(session, { 'x-forwarded-for': '192.0.2.1' }).close(cancel);
    const [code] = await goneAway as [number];
    expect(code).toBe(calm);
    await until(() => session.destroyed, { what: 'the connection is closed' });
  }
  const [still] = await unread(other, 1, { 'x-forwarded-for': '192.0.2.2' });
  expect(still!.closed).toBe(false);
});

it('does not count the calls of a connection that is lost', async () => {
  const lost = await open();
  await unread(lost, 2, { 'x-forwarded-for': '192.0.2.1' });
  lost.socket.destroy();
  const session = await open();
  // After ten pings, the server has noticed that the other connection is lost.
  for (let count = 0; count < 10; count += 1) await ping(session);
  call(session, { 'x-forwarded-for': '192.0.2.1' }).close(cancel);
  await ping(session);
  expect(session.destroyed).toBe(false);
});
