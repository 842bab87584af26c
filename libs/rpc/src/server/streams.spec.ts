import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { Fault } from '@platform/faults';
import { readImage } from '@platform/proto/image';
import type { RequestReader } from '@platform/proto/request-reader';
import { createMetrics, deadlineIn, Secret, silentLogger } from '@platform/service';
import { type Method, readSurface, type Surface } from '@platform/surface';
import { tcpProxy, until } from '@platform/testing';
import { AdmissionChanged, type CallContext } from '../call-context.ts';
import type { ClientStreamHandler, ServerStreamHandler } from './handler.ts';
import { connect } from '../client/client.ts';
import { deployment } from '../fixtures/guarded-world.ts';
import { wireField } from '../fixtures/wire-field.ts';
import { createGuard } from '../guard/guard.ts';
import { usualArrivingLimits } from '../limits/arriving.ts';
import { wire } from '../wire/wire.ts';
import { implement, type Implementation } from './implement.ts';
import { type RpcServer, type RpcServerOptions, startRpcServer } from './server.ts';

const credential = new Secret('correct horse battery staple');
const running: AsyncDisposable[] = [];
let whole: Surface;

beforeAll(async () => {
  whole = readSurface(await readImage());
});

afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

interface Text {
  text: string;
  /** Repeats the text this number of times. */
  times?: number;
}

const codec = {
  requestSerialize: ({ text, times = 1 }: Text) =>
    Buffer.concat(new Array<Buffer>(times).fill(wireField(1, Buffer.from(text)))),
  requestDeserialize: (reader: RequestReader): Text => {
    reader.tag();
    return { text: reader.string() };
  },
  responseSerialize: ({ text }: Text) => Buffer.from(text),
  responseDeserialize: (bytes: Buffer): Text => ({ text: bytes.toString() }),
};
/** An internal method and a public one, with messages that have one text. */
const internal = '/controlplane.orgs.v1.IdentityService/GetStanding';
const anonymous = '/controlplane.version.v1.VersionService/GetVersion';

function surfaceWith(path: string, kind: Method['kind'], repeatable = true): Surface {
  const method = { ...whole.byPath.get(path)!, kind, repeatable };
  return { ...whole, methods: [method], byPath: new Map([[path, method]]) };
}

const noRows = () => Promise.reject(new Error('no rows are needed here'));

async function serve(
  surface: Surface,
  service: Implementation,
  options: Partial<RpcServerOptions> = {},
): Promise<RpcServer> {
  const sources = { standing: noRows, ask: noRows, settle: noRows, reportLostStore: noRows, objects: {} };
  const server = await startRpcServer({
    surface,
    host: 'orgs-teams',
    services: [service],
    guard: createGuard(sources, { deployment, serviceCredentials: [credential] }),
    listen: '127.0.0.1:0',
    log: silentLogger,
    ...options,
  });
  running.push(server);
  return server;
}

interface Calling {
  path?: string;
  serviceCredential?: Secret | undefined;
}

const context = (milliseconds = 10_000, cancelled?: AbortSignal) =>
  ({ deadline: deadlineIn(milliseconds), requestId: 'spec', cancelled });

const reasonOf = async (work: () => Promise<unknown>): Promise<string> =>
  work().then(() => 'OK', (error: unknown) => (error instanceof Fault ? error.reason : String(error)));

describe('a server stream', () => {
  const definition = (path: string) =>
    ({ follow: { path, requestStream: false, responseStream: true, ...codec } }) as const;

  const serveFollow = (
    follow: ServerStreamHandler<Text, Text, CallContext>,
    { path = internal, ...options }: Partial<RpcServerOptions> & Calling = {},
  ) => serve(surfaceWith(path, 'server_streaming'), implement(definition(path), { follow }), options);

  function client(addresses: string[], { path = internal, ...options }: Calling & { streamIdleMs?: number } = {}) {
    const surface = surfaceWith(path, 'server_streaming');
    const serviceCredential = 'serviceCredential' in options ? options.serviceCredential : credential;
    const connected = connect(definition(path), { ...options, surface, name: 'orgs-teams', addresses, serviceCredential });
    running.push(connected);
    return connected;
  }

  const readAll = async (stream: AsyncIterable<Text>): Promise<string[]> => {
    const texts: string[] = [];
    for await (const { text } of stream) texts.push(text);
    return texts;
  };

  it('delivers every response in order, with the request and its id at hand', async () => {
    const server = await serveFollow(async function* ({ text }, { requestId }) {
      for (let number = 0; number < 2_000; number += 1) yield { text: `${text} ${requestId} ${number}` };
    });
    const texts = await readAll(client([server.address]).follow({ text: 'from' }, context()));
    expect(texts).toEqual(Array.from({ length: 2_000 }, (_, number) => `from spec ${number}`));
    expect(server.calls).toBe(0);
  });

  it('is refused by the guard before the handler runs', async () => {
    let handled = 0;
    const server = await serveFollow(async function* () {
      handled += 1;
      yield { text: 'secret' };
    });
    const stranger = client([server.address], { serviceCredential: undefined });
    expect(await reasonOf(() => readAll(stranger.follow({ text: '' }, context())))).toBe('UNAUTHENTICATED');
    expect(handled).toBe(0);
  });

  it('ends with the fault of its handler, and hides what is internal', async () => {
    const server = await serveFollow(async function* ({ text }) {
      yield { text: 'first' };
      throw text === 'fault' ? new Fault('NOT_FOUND', 'it is gone') : new TypeError('secret table users_v2 is missing');
    });
    const follow = (text: string) => readAll(client([server.address]).follow({ text }, context()));
    await expect(follow('fault')).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    await expect(follow('mistake')).rejects.toMatchObject({
      reason: 'INTERNAL', message: expect.not.stringContaining('users'),
    });
  });

  it('stops its handler when the client leaves, which counts as success', async () => {
    const metrics = createMetrics({ service: 'spec', defaults: false });
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const server = await serveFollow(async function* (_, { cancelled }) {
      cancelled.addEventListener('abort', () => leave());
      for (let number = 0; ; number += 1) yield { text: String(number) };
    }, { metrics });
    for await (const { text } of client([server.address]).follow({ text: '' }, context())) {
      if (text === '3') break;
    }
    await left;
    await until(() => server.calls === 0, { what: 'the call has ended' });
    expect((await metrics.render()).text).toMatch(/rpc_server_requests_total\{.*reason="OK".*\} 1/);
  });

  it('keeps its handler from running ahead of a client that does not read, and is cut after the idle time', async () => {
    const metrics = createMetrics({ service: 'spec', defaults: false });
    let produced = 0;
    const server = await serveFollow(async function* () {
      for (; produced < 4_000; produced += 1) yield { text: 'x'.repeat(64 * 1024) };
    }, { streamIdleMs: 300, metrics });
    const reading = client([server.address]).follow({ text: '' }, context(30_000));
    await reading.next();
    await until(() => server.calls === 0, { what: 'the server has given up' });
    expect((await metrics.render()).text).toMatch(/reason="DEADLINE_EXCEEDED".*\} 1/);
    // The handler would send 250 MiB; the buffers of both processes and the kernel hold some MiB.
    expect(produced).toBeLessThan(400);
    expect(await reasonOf(() => readAll(reading))).toBe('DEADLINE_EXCEEDED');
  });

  it('is cut when the handler is silent for the idle time, or at the deadline of the call', async () => {
    let cancelled = 0;
    const silent: ServerStreamHandler<Text, Text, CallContext> = async function* (_, call) {
      yield { text: 'first' };
      await new Promise<void>((resolve) => call.cancelled.addEventListener('abort', () => resolve()));
      cancelled += 1;
    };
    const idle = await serveFollow(silent, { streamIdleMs: 200 });
    expect(await reasonOf(() => readAll(client([idle.address]).follow({ text: '' }, context())))).toBe('DEADLINE_EXCEEDED');
    const late = await serveFollow(silent);
    const outcome = reasonOf(() => readAll(client([late.address]).follow({ text: '' }, context(500))));
    expect(await outcome).toBe('DEADLINE_EXCEEDED');
    const impatient = client([late.address], { streamIdleMs: 200 });
    expect(await reasonOf(() => readAll(impatient.follow({ text: '' }, context())))).toBe('DEADLINE_EXCEEDED');
    await until(() => late.calls === 0 && cancelled === 3, { what: 'all handlers have ended' });
  });

  it('ends with UNAVAILABLE when its connection is cut, and can be resumed', async () => {
    const server = await serveFollow(async function* ({ text }, call) {
      for (let number = Number(text); number < 10; number += 1) yield { text: String(number) };
      if (text === '0') await new Promise<void>((resolve) => call.cancelled.addEventListener('abort', () => resolve()));
    });
    const proxy = await tcpProxy(server.address);
    running.push(proxy);
    const { follow } = client([proxy.address]);
    const texts: string[] = [];
    const cut = (async () => {
      for await (const { text } of follow({ text: '0' }, context())) {
        texts.push(text);
        if (text === '5') proxy.cut();
      }
    })();
    expect(await reasonOf(() => cut)).toBe('UNAVAILABLE');
    await until(() => server.calls === 0, { what: 'the server has noticed' });
    const rest = await readAll(follow({ text: String(texts.length) }, context()));
    expect([...texts, ...rest]).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });

  it('ends with UNAVAILABLE when its server stops, and goes on at another replica', async () => {
    const forever: ServerStreamHandler<Text, Text, CallContext> = async function* (_, call) {
      yield { text: 'first' };
      await new Promise<void>((resolve) => call.cancelled.addEventListener('abort', () => resolve()));
    };
    const one = await serveFollow(forever);
    const { follow } = client([one.address]);
    const reading = follow({ text: '' }, context(60_000));
    expect((await reading.next()).value).toEqual({ text: 'first' });
    const next = reasonOf(() => reading.next());
    await one[Symbol.asyncDispose]();
    expect(await next).toBe('UNAVAILABLE');
    const other = await serveFollow(async function* () {
      yield { text: 'other' };
    });
    expect(await readAll(client([one.address, other.address]).follow({ text: '' }, context()))).toEqual(['other']);
  });

  it('is asked again at the same address when its server stops before the first response', async () => {
    const asked = Promise.withResolvers<void>();
    const old = await serveFollow(async function* () {
      asked.resolve();
      await new Promise<never>(() => undefined);
    });
    const answered = readAll(client([old.address]).follow({ text: '' }, context()));
    await asked.promise;
    await old[Symbol.asyncDispose]();
    await serveFollow(async function* () {
      yield { text: 'of its successor' };
    }, { listen: old.address });
    expect(await answered).toEqual(['of its successor']);
  });

  it('is decided again while the rows of its admission move, but not once a response is on its way', async () => {
    let runs = 0;
    const server = await serveFollow(async function* ({ text }) {
      runs += 1;
      if (text === 'early' && runs < 3) throw new AdmissionChanged();
      yield { text: 'first' };
      if (text === 'late') throw new AdmissionChanged();
    });
    expect(await readAll(client([server.address]).follow({ text: 'early' }, context()))).toEqual(['first']);
    expect(runs).toBe(3);
    expect(await reasonOf(() => readAll(client([server.address]).follow({ text: 'late' }, context())))).toBe('CONFLICT');
  });
});

describe('a client stream', () => {
  const definition = (path: string) =>
    ({ upload: { path, requestStream: true, responseStream: false, ...codec } }) as const;

  const serveUpload = (
    upload: ClientStreamHandler<Text, Text, CallContext>,
    { path = internal, ...options }: Partial<RpcServerOptions> & Calling = {},
  ) => serve(surfaceWith(path, 'client_streaming'), implement(definition(path), { upload }), options);

  function client(addresses: string[], { path = internal, ...options }: Calling = {}) {
    const surface = surfaceWith(path, 'client_streaming');
    const serviceCredential = 'serviceCredential' in options ? options.serviceCredential : credential;
    const connected = connect(definition(path), { surface, name: 'orgs-teams', addresses, serviceCredential });
    running.push(connected);
    return connected;
  }

  const joined: ClientStreamHandler<Text, Text, CallContext> = async (requests) => {
    const texts: string[] = [];
    for await (const { text } of requests) texts.push(text);
    return { text: texts.join(' ') };
  };

  it('delivers every request in order, the first one included', async () => {
    const server = await serveUpload(joined);
    const requests = Array.from({ length: 2_000 }, (_, number) => ({ text: String(number) }));
    const { text } = await client([server.address]).upload(requests, context());
    expect(text).toBe(requests.map((request) => request.text).join(' '));
    expect(server.calls).toBe(0);
  });

  it('is refused by the guard before the handler runs, and takes no more from its source', async () => {
    let handled = 0;
    const server = await serveUpload(async () => ({ text: String((handled += 1)) }));
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const endless = async function* () {
      try {
        for (;;) yield { text: 'x'.repeat(64 * 1024) };
      } finally {
        close();
      }
    };
    const stranger = client([server.address], { serviceCredential: undefined });
    expect(await reasonOf(() => stranger.upload(endless(), context()))).toBe('UNAUTHENTICATED');
    await closed;
    expect(handled).toBe(0);
  });

  it('without a message is refused', async () => {
    const server = await serveUpload(joined);
    expect(await reasonOf(() => client([server.address]).upload([], context()))).toBe('MALFORMED_BODY');
  });

  it('is never taken for complete when its source fails or its connection is cut', async () => {
    const outcomes: string[] = [];
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const server = await serveUpload(async (requests) => {
      let count = 0;
      try {
        for await (const { text } of requests) {
          count += 1;
          if (text === 'last before the cut') reach();
        }
        outcomes.push('complete');
      } catch (error) {
        outcomes.push(`${(error as Error).name} after ${count}`);
        throw error;
      }
      return { text: '' };
    });
    for (const sent of [1, 2, 100]) {
      const failing = client([server.address]).upload((async function* () {
        for (let count = 0; count < sent; count += 1) yield { text: String(count) };
        throw new RangeError('the disk is full');
      })(), context());
      await expect(failing).rejects.toThrow(RangeError);
    }

    const proxy = await tcpProxy(server.address);
    running.push(proxy);
    const { promise: never } = Promise.withResolvers<void>();
    const cut = client([proxy.address]).upload((async function* () {
      yield { text: 'one' };
      yield { text: 'last before the cut' };
      await never;
    })(), context());
    await reached;
    proxy.cut();
    await expect(cut).rejects.toMatchObject({ reason: 'UNAVAILABLE', metadata: { outcome: 'unknown' } });
    await until(() => server.calls === 0 && outcomes.includes('DeadlineExceeded after 2'), { what: 'the handlers have ended' });
    expect(outcomes).not.toContain('complete');
  });

  it('of a client of another kind is not taken for complete either when its connection is cut', async () => {
    const outcomes: string[] = [];
    const server = await serveUpload(async (requests) => {
      try {
        for await (const { text } of requests) outcomes.push(text);
        return { text: outcomes.join() };
      } catch (error) {
        outcomes.push((error as Error).name);
        throw error;
      }
    });
    const proxy = await tcpProxy(server.address);
    running.push(proxy);
    const upload = (complete: boolean): Promise<string> => new Promise((resolve) => {
      const raw = new Client(proxy.address, credentials.createInsecure());
      running.push({ [Symbol.asyncDispose]: async () => raw.close() });
      const metadata = new Metadata();
      metadata.set(wire.serviceCredential, credential.reveal());
      const { requestSerialize, responseDeserialize } = codec;
      const call = raw.makeClientStreamRequest(internal, requestSerialize, responseDeserialize, metadata, (error, answer) =>
        resolve(error ? `code ${error.code}` : answer!.text));
      call.on('error', () => undefined);
      call.write({ text: 'one' });
      if (complete) call.end();
    });
    expect(await upload(true)).toBe('one');
    const cut = upload(false);
    await until(() => outcomes.length === 2, { what: 'the request is there' });
    proxy.cut();
    expect(await cut).not.toContain('one');
    await until(() => server.calls === 0, { what: 'the server has noticed' });
    expect(outcomes).toEqual(['one', 'one', 'DeadlineExceeded']);
  });

  it('slows its source down to what the handler reads', async () => {
    let taken = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const server = await serveUpload(async (requests) => {
      let read = 0;
      for await (const _ of requests) {
        read += 1;
        if (read === 1) await released;
      }
      return { text: String(read) };
    }, { streamIdleMs: 60_000 });
    const source = async function* () {
      for (; taken < 1_000; taken += 1) {
        yield { text: 'x'.repeat(64 * 1024) };
      }
    };
    const uploading = client([server.address]).upload(source(), context(60_000));
    let before = 0;
    await until(() => {
      const isFull = taken > 0 && taken === before;
      before = taken;
      return isFull;
    }, { what: 'the buffers are full' });
    const ahead = taken;
    release();
    expect(await uploading).toEqual({ text: '1000' });
    // The client would send 62 MiB; the buffers of both processes and the kernel hold some MiB.
    expect(ahead).toBeLessThan(400);
  });

  it('is cut when the client is silent for the idle time', async () => {
    const server = await serveUpload(joined, { streamIdleMs: 200 });
    const { promise: never } = Promise.withResolvers<void>();
    const slow = async function* () {
      yield { text: 'one' };
      await never;
    };
    expect(await reasonOf(() => client([server.address]).upload(slow(), context()))).toBe('DEADLINE_EXCEEDED');
    await until(() => server.calls === 0, { what: 'the call has ended' });
  });

  it('of a direct caller is limited in all its messages together', async () => {
    const server = await serveUpload(joined, { path: anonymous });
    const megabytes = (count: number) => Array.from({ length: count }, () => ({ text: 'x'.repeat(1024 * 1024) }));
    const stranger = client([server.address], { path: anonymous, serviceCredential: undefined });
    expect(await reasonOf(() => stranger.upload(megabytes(11), context()))).toBe('OK');
    expect(await reasonOf(() => stranger.upload(megabytes(13), context()))).toBe('BODY_TOO_LARGE');
    expect(await reasonOf(() => client([server.address], { path: anonymous }).upload(megabytes(13), context()))).toBe('OK');
    const empty = (count: number, times = 1) => Array.from({ length: count }, () => ({ text: '', times }));
    expect(await reasonOf(() => stranger.upload(empty(768), context()))).toBe('OK');
    expect(await reasonOf(() => stranger.upload(empty(769), context()))).toBe('BODY_TOO_LARGE');
    expect(await reasonOf(() => stranger.upload(empty(4, 5_000), context()))).toBe('OK');
    expect(await reasonOf(() => stranger.upload(empty(5, 5_000), context()))).toBe('BODY_TOO_LARGE');
  });

  it('that is complete is answered by a server that stops, and one that is not ends with UNAVAILABLE', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let read = 0;
    const server = await serveUpload(async (requests) => {
      for await (const _ of requests) read += 1;
      await released;
      return { text: 'done' };
    }, { arrivingLimits: { ...usualArrivingLimits, stopMs: 100 } });
    const { promise: never } = Promise.withResolvers<void>();
    const complete = client([server.address]).upload([{ text: 'one' }, { text: 'two' }], context());
    const half = reasonOf(() => client([server.address]).upload((async function* () {
      yield { text: 'three' };
      await never;
    })(), context()));
    await until(() => read === 3, { what: 'all requests have been read' });
    const stopped = server[Symbol.asyncDispose]();
    expect(await half).toBe('UNAVAILABLE');
    release();
    expect(await complete).toEqual({ text: 'done' });
    await stopped;
  });
});
