import { once } from 'node:events';
import {
  type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2, type IncomingHttpHeaders,
} from 'node:http2';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createRateLimiter, sourceAddressBy } from '@platform/limits';
import { VersionServiceService } from '@platform/proto/version/v1/version';
import { createLogger, deadlineIn } from '@platform/service';
import type { Surface } from '@platform/surface';
import { until } from '@platform/testing';
import { connect } from '../client/client.ts';
import { serviceCredential } from '../fixtures/guarded-world.ts';
import { serveVersion, versionSurface } from '../fixtures/version-server.ts';
import { wire } from '../wire/wire.ts';
import { type ArrivingLimits, usualArrivingLimits } from './arriving.ts';

const path = '/controlplane.version.v1.VersionService/GetVersion';
const often = { perSecond: 1_000, burst: 1_000 };
const kibibyte = 1024;
/** One source may hold 64 KiB. */
const bytes = 256 * kibibyte;

let surface: Surface;
let running: AsyncDisposableStack;
let session: ClientHttp2Session;
let log: string[];

beforeEach(() => {
  running = new AsyncDisposableStack();
  log = [];
});
afterEach(() => running.disposeAsync());

async function serve(limits: Partial<ArrivingLimits> = {}) {
  surface = await versionSurface();
  const server = running.use(await serveVersion(() => 'v1', {
    arrivingLimits: { ...usualArrivingLimits, bytes, ...limits },
    directLimits: {
      rateLimiter: createRateLimiter({ anonymous: often, failedCredentials: often, account: often }),
      sourceAddress: sourceAddressBy(['127.0.0.0/8']),
    },
    log: createLogger({ service: 'spec', level: 'warn', destination: { write: (line) => log.push(line) } }),
  }));
  session = connectHttp2(`http://${server.address}`);
  running.defer(() => session.destroy());
  await once(session, 'connect');
  return server;
}

/** Opens a call that announces 10 MiB, and sends the given number of bytes. */
function half(sent: number, headers: Record<string, string> = {}) {
  const stream: ClientHttp2Stream = session.request({
    ':method': 'POST', ':path': path, 'content-type': 'application/grpc', 'te': 'trailers', ...headers,
  });
  const call = { stream, status: undefined as string | undefined, message: '' };
  stream.on('response', (answer) => {
    call.status = answer['grpc-status'] as string | undefined;
    call.message = decodeURI(String(answer['grpc-message']));
  });
  stream.on('error', () => undefined).resume();
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(10 * kibibyte * kibibyte, 1);
  stream.write(Buffer.concat([prefix, Buffer.alloc(sent)]));
  return call;
}

/** Resolves when the server has read everything that the call has sent. */
async function read({ stream }: { stream: ClientHttp2Stream }): Promise<void> {
  await until(() => stream.writableLength === 0, { what: 'all is sent' });
  // The first answer shows that the server has read all bytes sent before; the second, that they are processed.
  for (let count = 0; count < 2; count += 1) await ping();
}

const ping = () => new Promise<void>((resolve, reject) => {
  session.ping((error: Error | null) => (error === null ? resolve() : reject(error)));
});

const answered = (call: { status: string | undefined }) =>
  until(() => call.status, { what: 'the call is answered' });

async function version(address: string): Promise<string> {
  await using client = connect(VersionServiceService, { surface, name: 'orgs-teams', addresses: [address] });
  return (await client.getVersion({}, { deadline: deadlineIn(5_000), requestId: 'spec' })).version;
}

it('a source whose messages take too much is refused, and others are not', async () => {
  const { address } = await serve();
  const first = half(40 * kibibyte, { 'x-forwarded-for': '192.0.2.1' });
  const second = half(40 * kibibyte, { 'x-forwarded-for': '192.0.2.1' });
  await answered(second);
  expect([second.status, second.message]).toEqual(['14', expect.stringContaining('try again')]);
  expect(first.status).toBeUndefined();
  const other = half(40 * kibibyte, { 'x-forwarded-for': '192.0.2.2' });
  await read(other);
  expect(await version(address)).toBe('v1');
  expect(other.status).toBeUndefined();
  expect(log.filter((line) => line.includes('arriving messages exceed their memory'))).toHaveLength(1);
  // Abandoned calls release their memory.
  first.stream.close();
  await until(async () => {
    const again = half(40 * kibibyte, { 'x-forwarded-for': '192.0.2.1' });
    await read(again);
    const isTaken = again.status === undefined;
    if (!isTaken) again.stream.close();
    return isTaken;
  }, { what: 'there is room again' });
});

it('calls that carry next to nothing count, too', async () => {
  await serve();
  const calls = Array.from({ length: 12 }, () => half(0));
  await until(() => calls.some(({ status }) => status === '14'), { what: 'one of many calls is refused' });
});

it('pieces that carry next to nothing count, too', async () => {
  await serve();
  const call = half(0);
  for (let count = 0; count < 150 && call.status === undefined; count += 1) {
    call.stream.write('x');
    await ping();
  }
  expect(call.status).toBe('14');
});

it('services of ours send as much as they like', async () => {
  const { address } = await serve();
  const own = half(200 * kibibyte, { [wire.serviceCredential]: serviceCredential.reveal() });
  await read(own);
  expect(await version(address)).toBe('v1');
  expect(own.status).toBeUndefined();
});

it('a message that does not come in time is refused', async () => {
  await serve({ withinMs: 300 });
  const slow = half(10);
  await answered(slow);
  expect(slow.status).toBe('4');
});

it('a message that does not come keeps no server from stopping', async () => {
  const server = await serve({ stopMs: 100 });
  const never = half(10);
  await version(server.address);
  await server[Symbol.asyncDispose]();
  await answered(never);
  expect(never.status).toBe('14');
});

/** Makes a call with one complete message, by default an empty message. */
function call(headers: Record<string, string>, frame = Buffer.alloc(5)) {
  const stream = session.request({
    ':method': 'POST', ':path': path, 'content-type': 'application/grpc', 'te': 'trailers', ...headers,
  });
  stream.on('error', () => undefined).resume();
  stream.end(frame);
  return new Promise<{ status: unknown; message: unknown }>((resolve) => {
    const settle = (answer: IncomingHttpHeaders) => {
      if (answer['grpc-status'] !== undefined) resolve({ status: answer['grpc-status'], message: answer['grpc-message'] });
    };
    stream.on('response', settle).on('trailers', settle);
  });
}

it.each(['2147483649m', '99999999H', '99999999S', '30S', '5H'])('a timeout of %s is not over at once', async (timeout) => {
  await serve();
  expect(await call({ 'grpc-timeout': timeout })).toMatchObject({ status: '0' });
});

it.each(['gzip', 'deflate'])('inflates nothing that is compressed with %s for a direct caller', async (encoding) => {
  await serve();
  const inflated = Buffer.alloc(4 * kibibyte * kibibyte);
  const message = encoding === 'gzip' ? gzipSync(inflated) : deflateSync(inflated);
  const prefix = Buffer.from([1, 0, 0, 0, 0]);
  prefix.writeUInt32BE(message.length, 1);
  const frame = Buffer.concat([prefix, message]);
  expect(await call({ 'grpc-encoding': encoding }, frame)).toMatchObject({ status: '12' });
  // A client that can compress may still send uncompressed messages.
  expect(await call({ 'grpc-encoding': encoding })).toMatchObject({ status: '0' });
});
