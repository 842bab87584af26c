import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { Fault, unavailable } from '@platform/faults';
import { GetStandingRequest, IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import { VersionServiceService } from '@platform/proto/version/v1/version';
import { readImage } from '@platform/proto/image';
import { createLogger, createMetrics, DeadlineExceeded, deadlineIn, type Logger, type Metrics, Secret, silentLogger } from '@platform/service';
import { readSurface, type Surface } from '@platform/surface';
import { connect } from '../client/client.ts';
import { openReplicas } from '../client/replicas.ts';
import { faultOf } from '../faults/status.ts';
import { deployment } from '../fixtures/guarded-world.ts';
import { createGuard } from '../guard/guard.ts';
import { wire } from '../wire/wire.ts';
import type { Handler } from './handler.ts';
import { implement } from './implement.ts';
import { type RpcServer, startRpcServer } from './server.ts';

const credential = new Secret('correct horse battery staple');
const context = () => ({ deadline: deadlineIn(5_000), requestId: 'spec' });

let whole: Surface;
let surface: Surface;
const running: AsyncDisposable[] = [];

/** Returns a surface with the methods of only one service. */
function only(service: string): Surface {
  const methods = whole.methods.filter((method) => method.service === service);
  return { ...whole, methods, byPath: new Map(methods.map((method) => [method.path, method])) };
}

const noRows = () => Promise.reject(new Error('no rows are needed here'));

function guard() {
  const sources = { standing: noRows, ask: noRows, settle: noRows, reportLostStore: noRows, objects: {} };
  return createGuard(sources, { deployment, serviceCredentials: [credential] });
}

type GetVersion = Handler<typeof VersionServiceService.getVersion>;

interface Serving {
  listen?: string;
  log?: Logger;
  metrics?: Metrics;
  stopGraceMs?: number;
}

async function serveVersion(
  getVersion: GetVersion,
  { listen = '127.0.0.1:0', log = silentLogger, metrics, stopGraceMs }: Serving = {},
): Promise<RpcServer> {
  const server = await startRpcServer({
    surface,
    host: 'orgs-teams',
    services: [implement(VersionServiceService, { getVersion })],
    guard: guard(),
    listen,
    log,
    ...(metrics && { metrics }),
    ...(stopGraceMs && { stopGraceMs }),
  });
  running.push(server);
  return server;
}

function versionClient(...addresses: string[]) {
  const client = connect(VersionServiceService, { surface, name: 'orgs-teams', addresses });
  running.push(client);
  return client;
}

beforeAll(async () => {
  whole = readSurface(await readImage());
  surface = only('controlplane.version.v1.VersionService');
});

afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

describe('a server', () => {
  it('does not start when a method of its host has no handler', async () => {
    const started = startRpcServer({
      surface, host: 'orgs-teams', services: [], guard: guard(), listen: '127.0.0.1:0', log: silentLogger,
    });
    await expect(started).rejects.toThrow('/controlplane.version.v1.VersionService/GetVersion');
  });

  it('answers its callers, and hands on request id and deadline', async () => {
    let seen: unknown;
    const server = await serveVersion(async (_, { requestId, deadline }) => {
      seen = { requestId, soon: deadline.at - performance.now() < 5_000 };
      return { version: 'v1.2.3' };
    });
    await expect(versionClient(server.address).getVersion({}, context())).resolves.toEqual({ version: 'v1.2.3' });
    expect(seen).toEqual({ requestId: 'spec', soon: true });
  });

  it('answers on both families where it listens on [::]', async () => {
    const { address } = await serveVersion(async () => ({ version: 'v0.0.1' }), { listen: '[::]:0' });
    const port = /^\[::\]:(\d+)$/.exec(address)![1];
    for (const host of ['[::1]', '127.0.0.1']) {
      expect(await versionClient(`${host}:${port}`).getVersion({}, context())).toEqual({ version: 'v0.0.1' });
    }
  });

  it('shows what it cannot help as INTERNAL, and nothing of its cause', async () => {
    const server = await serveVersion(async () => {
      throw new TypeError('secret table users_v2 is missing');
    });
    const fault = await versionClient(server.address).getVersion({}, context()).catch((error: unknown) => error);
    expect(fault).toMatchObject({ reason: 'INTERNAL' });
    expect((fault as Fault).message).not.toContain('users_v2');
  });

  it('counts calls by method and reason, and logs each in one line', async () => {
    const lines: string[] = [];
    const log = createLogger({ service: 'spec', destination: { write: (line) => void lines.push(line) } });
    const metrics = createMetrics({ service: 'spec', defaults: false });
    let answer = (): Promise<{ version: string }> => Promise.resolve({ version: 'v1' });
    const server = await serveVersion(() => answer(), { log, metrics });
    const client = versionClient(server.address);
    // Outcomes that have not occurred yet are exported as 0, so that their first occurrence is an increase.
    expect((await metrics.render()).text).toMatch(/rpc_server_requests_total\{.*reason="INTERNAL".*\} 0/);
    await client.getVersion({}, context());
    answer = () => Promise.reject(new Fault('NOT_FOUND', 'no version'));
    await client.getVersion({}, context()).catch(() => undefined);
    // A service of the platform makes this call; the gateway has logged the request.
    await callRaw(server.address, '/controlplane.version.v1.VersionService/GetVersion', Buffer.alloc(0), credential);

    const method = 'controlplane.version.v1.VersionService.GetVersion';
    const told = lines.map((line) => JSON.parse(line) as object);
    expect(told).toEqual([
      expect.objectContaining({ message: 'call', level: 'info', requestId: 'spec', method, reason: 'OK' }),
      expect.objectContaining({ message: 'call', level: 'info', requestId: 'spec', method, reason: 'NOT_FOUND' }),
    ]);
    const { text } = await metrics.render();
    expect(text).toContain(`rpc_server_requests_total{method="${method}",reason="OK",service="spec"} 1`);
    expect(text).toContain(`rpc_server_requests_total{method="${method}",reason="NOT_FOUND",service="spec"} 2`);
    expect(text).toContain(`rpc_server_duration_seconds_count{service="spec",method="${method}"} 3`);
    expect(text).toContain('rpc_server_calls{service="spec"} 0');
  });

  it('logs each cause of an outage from time to time, however often another one fails', async () => {
    const lines: string[] = [];
    const log = createLogger({ service: 'spec', destination: { write: (line) => void lines.push(line) } });
    const causes = ['PostgreSQL is away', 'PostgreSQL is away', 'the engine is away', 'PostgreSQL is away'];
    const server = await serveVersion(async () => {
      throw unavailable('the platform', new Error(causes.shift()));
    }, { log });
    const client = versionClient(server.address);
    while (causes.length > 0) await client.getVersion({}, context()).catch(() => undefined);

    const told = lines.map((line) => JSON.parse(line) as { message: string; error?: { message: string } });
    const failed = told.filter(({ message }) => message === 'call failed');
    expect(failed.map(({ error }) => error?.message)).toEqual(['PostgreSQL is away', 'the engine is away']);
  });

  it('goes on after a refusal that quotes a caller at length', async () => {
    const long = 'ü'.repeat(70_000);
    let calls = 0;
    const server = await serveVersion(async () => {
      calls += 1;
      if (calls === 1) throw new Fault('INVALID_VALUE', long, { metadata: { long } });
      return { version: 'v1' };
    });
    const client = versionClient(server.address);
    await expect(client.getVersion({}, context())).rejects.toMatchObject({ reason: 'INVALID_VALUE' });
    await expect(client.getVersion({}, context())).resolves.toEqual({ version: 'v1' });
  });

  it.each<[string, GetVersion]>([
    ['made a change', async () => ({ version: '1' })],
    ['refused', async () => {
      throw new Fault('INVALID_PARAMETER', 'refused');
    }],
  ])('that %s, and cannot tell holders of kept answers, says that the outcome is unknown', async (_, getVersion) => {
    const methods = surface.methods.map((one) => ({ ...one, repeatable: false, http: { ...one.http!, verb: 'POST' as const } }));
    const changing = { ...surface, methods, byPath: new Map(methods.map((one) => [one.path, one])) };
    running.push(await startRpcServer({
      surface: changing, host: 'orgs-teams', services: [implement(VersionServiceService, { getVersion })], guard: guard(),
      listen: '127.0.0.1:0', log: silentLogger, told: () => Promise.reject(new DeadlineExceeded('the holders')),
    }));
    const { address } = running.at(-1) as RpcServer;
    await expect(versionClient(address).getVersion({}, context()))
      .rejects.toMatchObject({ reason: 'UNAVAILABLE', metadata: { outcome: 'unknown' } });
  });

  it('ends a call at its deadline', async () => {
    const server = await serveVersion((_, { deadline }) => new Promise((_resolve, reject) => {
      deadline.signal.addEventListener('abort', () => reject(new Fault('DEADLINE_EXCEEDED', 'too slow')));
    }));
    const call = versionClient(server.address).getVersion({}, { deadline: deadlineIn(200), requestId: 'spec' });
    await expect(call).rejects.toMatchObject({ reason: 'DEADLINE_EXCEEDED' });
  });

  it('cuts what does not finish in the time it has to stop', async () => {
    const { promise: accepted, resolve } = Promise.withResolvers<void>();
    const server = await serveVersion(() => {
      resolve();
      return new Promise(() => undefined);
    }, { stopGraceMs: 100 });
    const call = versionClient(server.address).getVersion({}, context());
    await accepted;
    const cut = expect(call).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await server[Symbol.asyncDispose]();
    await cut;
  });

  it('finishes what it accepted before it stops', async () => {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const server = await serveVersion(async () => {
      reach();
      await released;
      return { version: 'v1.2.3' };
    });
    const call = versionClient(server.address).getVersion({}, context());
    await reached;
    const stopped = server[Symbol.asyncDispose]();
    release();
    await expect(call).resolves.toEqual({ version: 'v1.2.3' });
    await stopped;
    expect(server.calls).toBe(0);
  });

  it('finishes what takes longer than the pause between two keepalives of its caller', async () => {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const server = await serveVersion(async () => {
      reach();
      await setTimeout(5_000);
      return { version: 'v1.2.3' };
    });
    const call = versionClient(server.address).getVersion({}, { deadline: deadlineIn(10_000), requestId: 'spec' });
    await reached;
    await server[Symbol.asyncDispose]();
    await expect(call).resolves.toEqual({ version: 'v1.2.3' });
  }, 15_000);

  it('refuses a message that does not decode as a fault of the request', async () => {
    const server = await startRpcServer({
      surface: only('controlplane.orgs.v1.IdentityService'),
      host: 'orgs-teams',
      services: [implement(IdentityServiceService, {
        getStanding: noRows, settle: noRows, resolveOwners: noRows, reportLostStore: noRows,
      })],
      guard: guard(),
      listen: '127.0.0.1:0',
      log: silentLogger,
    });
    running.push(server);
    // Field 3 is a list of int64; this item is 2^53.
    const tooLarge = Buffer.from([0x1a, 0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]);
    const halfCharacter = Buffer.from([0x0a, 3, 0xed, 0xa0, 0x80]);
    const nul = Buffer.from(GetStandingRequest.encode({ token: '', slugs: ['a\0b'], organizationIds: [] }).finish());
    for (const bytes of [tooLarge, Buffer.from([0xff, 0xff, 0xff]), halfCharacter, nul]) {
      const fault = await callRaw(server.address, IdentityServiceService.getStanding.path, bytes, credential);
      expect(fault).toMatchObject({ reason: 'MALFORMED_BODY' });
    }
  });

  it('reads no larger message of a direct caller than a request over REST may be', async () => {
    const server = await serveVersion(async () => ({ version: 'v1.2.3' }));
    const large = Buffer.alloc(2 * 1024 * 1024 + 1);
    expect(await callRaw(server.address, VersionServiceService.getVersion.path, large)).toMatchObject({
      reason: 'BODY_TOO_LARGE',
    });
  });

  it.each([
    ['spec-1_2.3', true], ['a'.repeat(64), true], ['a'.repeat(65), false], ['"quoted"', false], ['', false],
  ])('goes by the request id %s only when it is one (open-points 1.7)', async (given, isTaken) => {
    let requestId = '';
    const server = await serveVersion(async (_request, context) => {
      requestId = context.requestId;
      return { version: 'v1.2.3' };
    });
    await versionClient(server.address).getVersion({}, { deadline: deadlineIn(5_000), requestId: given });
    expect(requestId === given).toBe(isTaken);
    expect(requestId).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  });

  it('lets nobody call an internal method without the service credential', async () => {
    const server = await startRpcServer({
      surface: only('controlplane.orgs.v1.IdentityService'),
      host: 'orgs-teams',
      services: [implement(IdentityServiceService, {
        getStanding: async () => ({ caller: undefined, organizations: [] }),
        settle: noRows, resolveOwners: noRows, reportLostStore: noRows,
      })],
      guard: guard(),
      listen: '127.0.0.1:0',
      log: silentLogger,
    });
    running.push(server);
    const request = { token: '', slugs: [], organizationIds: [] };
    const attempt = (serviceCredential?: Secret) => {
      const options = { surface: whole, name: 'orgs-teams', addresses: [server.address] };
      const client = connect(IdentityServiceService, serviceCredential ? { ...options, serviceCredential } : options);
      running.push(client);
      return client.getStanding(request, { ...context(), token: credential.reveal() });
    };
    await expect(attempt()).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    await expect(attempt(new Secret('wrong'))).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    await expect(attempt(credential)).resolves.toMatchObject({ organizations: [] });
    const bytes = Buffer.from(GetStandingRequest.encode(request).finish());
    await expect(callRaw(server.address, IdentityServiceService.getStanding.path, bytes)).resolves.toMatchObject({
      reason: 'UNAUTHENTICATED',
    });
  });
});

describe('a client', () => {
  const answer: GetVersion = async () => ({ version: 'v1' });

  it('returns which replicas serve', async () => {
    const server = await serveVersion(async () => ({ version: 'v1' }));
    const gone = '127.0.0.1:1';
    const replicas = openReplicas('orgs-teams', [server.address, gone]);
    running.push(replicas);
    await expect(replicas.probe(deadlineIn(5_000))).resolves.toEqual([
      { address: server.address, serves: true }, { address: gone, serves: false },
    ]);
  });

  it('uses another replica when one is away', async () => {
    const gone = await serveVersion(async () => ({ version: 'v0.0.1' }));
    const there = await serveVersion(async () => ({ version: 'v0.0.2' }));
    await gone[Symbol.asyncDispose]();
    const client = versionClient(gone.address, there.address);
    for (let turn = 0; turn < 6; turn += 1) {
      await expect(client.getVersion({}, context())).resolves.toEqual({ version: 'v0.0.2' });
    }
  });

  it('uses one that came back just before the other went away', async () => {
    let [away, there] = [await serveVersion(answer), await serveVersion(answer)];
    const client = versionClient(away.address, there.address);
    await Promise.all([client.getVersion({}, context()), client.getVersion({}, context())]);
    for (let round = 0; round < 6; round += 1) {
      await away[Symbol.asyncDispose]();
      for (let turn = 0; turn < 4; turn += 1) await client.getVersion({}, context());
      const back = await serveVersion(answer, { listen: away.address });
      await there[Symbol.asyncDispose]();
      [away, there] = [there, back];
      await expect(client.getVersion({}, context())).resolves.toEqual({ version: 'v1' });
    }
  });

  it('detects a replica that hangs, and uses another', async () => {
    const one = await serveVersion(async () => ({ version: 'v1' }));
    const other = await serveVersion(async () => ({ version: 'v2' }));
    const way = await relay(one.address);
    const client = versionClient(way.address, other.address);
    const patient = () => ({ deadline: deadlineIn(60_000), requestId: 'spec' });
    const both = await Promise.all([client.getVersion({}, patient()), client.getVersion({}, patient())]);
    expect(both.map(({ version }) => version).sort()).toEqual(['v1', 'v2']);

    way.hold();
    // Calls of the first round use the existing connection. Calls of the second round need a new connection.
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all([client.getVersion({}, patient()), client.getVersion({}, patient())]);
      expect(answers).toEqual([{ version: 'v2' }, { version: 'v2' }]);
    }
  }, 40_000);

  it('gets UNAVAILABLE long before its deadline when the only replica takes connections and says nothing', async () => {
    const { address } = await relay('127.0.0.1:1', { held: true });
    const call = versionClient(address).getVersion({}, { deadline: deadlineIn(60_000), requestId: 'spec' });
    await expect(call).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  }, 40_000);

  it('finds a service that came back', async () => {
    const first = await serveVersion(async () => ({ version: 'v0.0.1' }));
    const client = versionClient(first.address);
    await client.getVersion({}, context());
    await first[Symbol.asyncDispose]();
    await expect(client.getVersion({}, context())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await serveVersion(async () => ({ version: 'v0.0.2' }), { listen: first.address });
    const deadline = deadlineIn(5_000);
    let answer: { version: string } | undefined;
    while (!answer && !deadline.signal.aborted) {
      answer = await client.getVersion({}, { deadline, requestId: 'spec' }).catch(() => undefined);
    }
    expect(answer).toEqual({ version: 'v0.0.2' });
  });

  it('gets UNAVAILABLE, with the seconds after which to retry, when no replica answers', async () => {
    const gone = await serveVersion(async () => ({ version: 'v0.0.1' }));
    await gone[Symbol.asyncDispose]();
    const call = versionClient(gone.address).getVersion({}, context());
    await expect(call).rejects.toMatchObject({ reason: 'UNAVAILABLE', retryAfterSeconds: 1 });
  });
});

/**
 * Forwards bytes between callers and a server. After `hold`, forwards nothing, so that the server seems to hang.
 */
async function relay(target: string, { held = false } = {}): Promise<{ address: string; hold(): void }> {
  const sockets = new Set<Socket>();
  let isHeld = held;
  const server = createTcpServer((caller) => {
    sockets.add(caller.on('error', () => undefined));
    if (isHeld) return;
    const onward = connectTcp(Number(target.split(':')[1]), '127.0.0.1');
    sockets.add(onward.on('error', () => undefined));
    caller.pipe(onward).pipe(caller);
  });
  running.push({
    [Symbol.asyncDispose]: async () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => {
      isHeld = true;
      sockets.forEach((socket) => socket.unpipe());
    },
  };
}

const raw: Client[] = [];
afterAll(() => raw.forEach((client) => client.close()));

/** A caller that uses gRPC without the platform's client. */
function callRaw(address: string, path: string, bytes: Buffer, presented?: Secret): Promise<Fault> {
  const client = new Client(address, credentials.createInsecure());
  raw.push(client);
  const metadata = new Metadata();
  if (presented) metadata.set(wire.serviceCredential, presented.reveal());
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, (sent: Buffer) => sent, (got) => got, bytes, metadata, (error) =>
      error ? resolve(faultOf(error as ServiceError, 'spec')) : reject(new Error('was not refused')),
    );
  });
}
