import { constants, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, credentials, Server, ServerCredentials, type ServiceError, status as Code } from '@grpc/grpc-js';
import { Fault } from '@platform/faults';
import { readImage } from '@platform/proto/image';
import { VersionServiceService } from '@platform/proto/version/v1/version';
import { deadlineIn, Secret, silentLogger } from '@platform/service';
import { readSurface, type Surface } from '@platform/surface';
import { tcpProxy, until } from '@platform/testing';
import type { CallContext } from '../call-context.ts';
import { connect } from '../client/client.ts';
import { deployment } from '../fixtures/guarded-world.ts';
import { createGuard } from '../guard/guard.ts';
import { createBatch, joinedStream } from '../wire/joined.ts';
import { implement } from './implement.ts';
import { type RpcServer, startRpcServer } from './server.ts';

const credential = new Secret('correct horse battery staple');
const running: AsyncDisposable[] = [];
let surface: Surface;

beforeAll(async () => {
  const whole = readSurface(await readImage());
  const methods = whole.methods.filter(({ service }) => service === 'controlplane.version.v1.VersionService');
  surface = { ...whole, methods, byPath: new Map(methods.map((method) => [method.path, method])) };
});

afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

const noRows = () => Promise.reject(new Error('no rows are needed here'));

type Answer = (context: CallContext) => Promise<string>;

async function serve(answer: Answer, options: { stopGraceMs?: number } = {}): Promise<RpcServer> {
  const sources = { standing: noRows, ask: noRows, settle: noRows, reportLostStore: noRows, objects: {} };
  const server = await startRpcServer({
    surface,
    host: 'orgs-teams',
    services: [implement(VersionServiceService, {
      getVersion: async (_, context) => ({ version: await answer(context) }),
    })],
    guard: createGuard(sources, { deployment, serviceCredentials: [credential] }),
    listen: '127.0.0.1:0',
    log: silentLogger,
    ...options,
  });
  running.push(server);
  return server;
}

/** Makes calls that differ in their request id, because requests of this service have no fields. */
function client(addresses: readonly string[], serviceCredential = credential, known = surface) {
  const connected = connect(VersionServiceService, { surface: known, name: 'orgs-teams', addresses, serviceCredential });
  running.push(connected);
  return async (requestId: string, timeoutMs = 60_000, cancelled?: AbortSignal): Promise<string> =>
    (await connected.getVersion({}, { requestId, deadline: deadlineIn(timeoutMs), cancelled })).version;
}

describe('a batch', () => {
  it('is one message, except large answers, which go alone and in their order', () => {
    const sent: string[][] = [];
    const batch = createBatch<string>((items) => sent.push(items));
    batch.add('first', 1000);
    batch.add('second', 50_000);
    batch.add('as large as may be', 64 * 1024 * 1024 - 1024);
    batch.add('last', 1000);
    batch.flush();
    expect(sent).toEqual([['first', 'second'], ['as large as may be'], ['last']]);
  });
});

describe('joined calls', () => {
  it('are answered each with its own', async () => {
    const server = await serve(async ({ requestId }) => `for ${requestId}`);
    const call = client([server.address]);
    const ids = Array.from({ length: 500 }, (_, index) => `call-${index}`);
    expect(await Promise.all(ids.map((id) => call(id)))).toEqual(ids.map((id) => `for ${id}`));
    expect(server.calls).toBe(0);
  });

  it('neither wait for, nor fail with, nor end with each other', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<string>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
    const huge = 'x'.repeat(64 * 1024 * 1024);
    const answers: Record<string, Answer> = {
      slow: () => released,
      refused: async () => {
        throw new Fault('FORBIDDEN', 'not you', { metadata: { relation: 'can_edit' } });
      },
      broken: async () => {
        throw new TypeError('secret table users_v2 is missing');
      },
      left: ({ cancelled }) => {
        reach();
        return new Promise((_, reject) => {
          cancelled.addEventListener('abort', () => {
            leave();
            reject(new Fault('DEADLINE_EXCEEDED', 'left'));
          });
        });
      },
      late: ({ deadline }) => new Promise((_, reject) => {
        deadline.signal.addEventListener('abort', () => reject(new Fault('DEADLINE_EXCEEDED', 'late')));
      }),
      large: async () => huge.slice(0, 8 * 1024 * 1024),
      huge: async () => huge,
    };
    const server = await serve((context) => (answers[context.requestId] ?? (async () => 'quick'))(context));
    const call = client([server.address]);
    const leaving = new AbortController();
    const outcomes = Promise.all([
      expect(call('slow')).resolves.toBe('at last'),
      expect(call('refused')).rejects.toMatchObject({ reason: 'FORBIDDEN', metadata: { relation: 'can_edit' } }),
      expect(call('broken')).rejects.toMatchObject({ reason: 'INTERNAL', message: expect.not.stringContaining('users') }),
      expect(call('left', 60_000, leaving.signal)).rejects.toMatchObject({ reason: 'DEADLINE_EXCEEDED' }),
      expect(call('late', 200)).rejects.toMatchObject({ reason: 'DEADLINE_EXCEEDED' }),
      expect(call('large')).resolves.toHaveLength(8 * 1024 * 1024),
      expect(call('huge')).rejects.toMatchObject({ reason: 'UNAVAILABLE' }),
      expect(call('quick')).resolves.toBe('quick'),
    ]);
    await reached;
    leaving.abort();
    await gone;
    // A further call is answered while the slow call is still in progress.
    expect(await call('quick')).toBe('quick');
    release('at last');
    await outcomes;
    expect(server.calls).toBe(0);
  });

  it('are answered before a server stops, and the next ones go to another', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<string>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const first = await serve(() => {
      reach();
      return released;
    });
    const second = await serve(async () => 'second');
    const call = client([second.address, first.address]);
    const accepted = call('accepted');
    await reached;
    const stopped = first[Symbol.asyncDispose]();
    for (let turn = 0; turn < 20; turn += 1) expect(await call('next')).toBe('second');
    release('first');
    expect(await accepted).toBe('first');
    await stopped;
  });

  it('are answered however much of it is on its way when the server is gone', async () => {
    const made = new Map<string, number>();
    const { promise: free, resolve: letGo } = Promise.withResolvers<void>();
    const server = await serve(async ({ requestId }) => {
      made.set(requestId, (made.get(requestId) ?? 0) + 1);
      await free;
      return requestId.repeat(5_000);
    }, { stopGraceMs: 30_000 });
    const call = client([server.address]);
    const calls = Array.from({ length: 300 }, (_, index) => call(`call-${index}`, 60_000));
    await until(() => made.size === 300, { within: 30_000, what: 'all calls are there' });
    letGo();
    await server[Symbol.asyncDispose]();
    const answers = await Promise.all(calls);
    expect(answers.map(({ length }) => length)).toEqual(answers.map((_, index) => 5_000 * `call-${index}`.length));
    expect(new Set(made.values())).toEqual(new Set([1]));
  }, 60_000);

  it('are made again on another connection when theirs is lost, if they may be', async () => {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    let times = 0;
    const server = await serve(async () => {
      times += 1;
      if (times > 1) return 'there';
      reach();
      return new Promise(() => undefined);
    });
    const proxy = await tcpProxy(server.address);
    const call = client([proxy.address]);
    const cut = call('cut');
    await reached;
    proxy.cut();
    await expect(cut).resolves.toBe('there');
    await expect(call('next')).resolves.toBe('there');
  });

  it('go to another replica when one that stops has not begun them, also those that may not be repeated', async () => {
    const refusing = createHttp2Server();
    refusing.on('stream', (stream) => {
      stream.on('error', () => undefined);
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
    });
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    running.push({ [Symbol.asyncDispose]: async () => void refusing.close() });
    const server = await serve(async () => 'begun');
    const methods = surface.methods.map((method) => ({ ...method, repeatable: false }));
    const once: Surface = { ...surface, methods, byPath: new Map(methods.map((method) => [method.path, method])) };
    const { port } = refusing.address() as AddressInfo;
    const call = client([`127.0.0.1:${port}`, server.address], credential, once);
    for (const id of ['first', 'second', 'third', 'fourth']) expect(await call(id)).toBe('begun');
  });

  it('go one by one to a replica of an older version', async () => {
    const older = new Server();
    older.addService({ getVersion: VersionServiceService.getVersion }, {
      getVersion: (_: unknown, answer: (error: null, value: { version: string }) => void) =>
        answer(null, { version: 'v0' }),
    });
    const port = await new Promise<number>((resolve, reject) => {
      older.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound));
    });
    running.push({ [Symbol.asyncDispose]: async () => older.forceShutdown() });
    const call = client([`127.0.0.1:${port}`]);
    expect(await Promise.all([call('one'), call('other')])).toEqual(['v0', 'v0']);
    expect(await call('later')).toBe('v0');
  });

  it('are taken from services alone; with another credential each goes by itself', async () => {
    const server = await serve(async () => 'v1');
    const raw = new Client(server.address, credentials.createInsecure());
    running.push({ [Symbol.asyncDispose]: async () => raw.close() });
    const { path, requestSerialize, responseDeserialize } = joinedStream;
    const refused = await new Promise<ServiceError>((resolve) => {
      raw.makeBidiStreamRequest(path, requestSerialize, responseDeserialize).on('error', resolve).resume();
    });
    expect(refused.code).toBe(Code.UNAUTHENTICATED);
    expect(await client([server.address], new Secret('wrong'))('anonymous')).toBe('v1');
  });
});
