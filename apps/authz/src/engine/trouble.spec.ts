import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fenceTuple, teamMembers, teamRightTuple } from '@platform/relations';
import { createLogger, createMetrics, DeadlineExceeded, deadlineIn, Secret, silentLogger } from '@platform/service';
import { openFgaStore, tcpProxy, type TcpProxy, type TestOpenFgaStore, until } from '@platform/testing';
import { askGrounds } from '../decisions/ask-grounds.ts';
import { writeTuples } from '../decisions/write-tuples.ts';
import { createEngine, type Engine } from './engine.ts';
import { readModel } from './model.ts';

const organizationId = 5;
const question = { principal: teamMembers(1), organizationId };
const call = (milliseconds = 10_000) => ({ requestId: randomUUID(), deadline: deadlineIn(milliseconds) });
const held = ['member', 'viewer'];

let store: TestOpenFgaStore;
let direct: Engine;

const open = (url: string, extra = {}): Engine => createEngine({
  url, presharedKey: new Secret(store.presharedKey), storeName: store.storeName, model: readModel(),
  log: silentLogger, ...extra,
});

beforeAll(async () => {
  store = await openFgaStore();
  direct = open(store.url);
  await direct.write([], [teamRightTuple(organizationId, 1, 'read'), fenceTuple(organizationId, randomUUID())],
    deadlineIn(10_000));
}, 120_000);

describe('an engine on a bad network', () => {
  let proxy: TcpProxy;
  let engine: Engine;

  beforeEach(async () => {
    proxy = await tcpProxy(store.url);
    engine = open(`http://${proxy.address}`);
    expect((await askGrounds(engine)(question, call())).grounds).toEqual(held);
  });

  it('that does not answer: unavailable within a second or so, and well again by itself', async () => {
    proxy.hold();
    const begun = performance.now();
    await expect(askGrounds(engine)(question, call())).rejects.toMatchObject({
      reason: 'UNAVAILABLE', retryAfterSeconds: 1,
    });
    expect(performance.now() - begun).toBeLessThan(3_000);
    await expect(engine.probe(deadlineIn(2_000))).rejects.toThrow('ListStores: no answer within 1 s');
    await proxy.release();
    expect((await askGrounds(engine)(question, call())).grounds).toEqual(held);
  });

  it('that is slower than the caller waits: unavailable when the caller stops waiting', async () => {
    proxy.delay(3_000);
    const begun = performance.now();
    await expect(askGrounds(engine)(question, call(200))).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    expect(performance.now() - begun).toBeLessThan(900);
  });

  it('whose store is looked for: a caller who gives up does not end the search for the others', async () => {
    const other = open(`http://${proxy.address}`);
    proxy.hold();
    const hasty = other.established(deadlineIn(100));
    const patient = other.established(deadlineIn(20_000));
    await expect(hasty).rejects.toBeInstanceOf(DeadlineExceeded);
    await proxy.release();
    await expect(patient).resolves.toEqual(await direct.established(deadlineIn(10_000)));
  });

  it('whose store is looked for: unavailable to a caller who cannot wait for it', async () => {
    const other = open(`http://${proxy.address}`);
    proxy.hold();
    await expect(askGrounds(other)(question, call(100))).rejects.toMatchObject({ reason: 'UNAVAILABLE', retryAfterSeconds: 1 });
  });

  it('that nobody waits for any more: is not asked', async () => {
    proxy.hold();
    const gone = AbortSignal.abort(new Error('the caller has hung up'));
    await expect(engine.probe(deadlineIn(2_000, gone))).rejects.toBeInstanceOf(DeadlineExceeded);
  });

  it('that is down: unavailable at once, and well again by itself', async () => {
    await proxy.refuse();
    await expect(askGrounds(engine)(question, call())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await expect(writeTuples(engine)({ writes: [teamRightTuple(6, 1, 'read')], deletes: [] }, call()))
      .rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await proxy.release();
    expect((await askGrounds(engine)(question, call())).grounds).toEqual(held);
  });

  it('that cuts its answers short: unavailable, never a part of them', async () => {
    proxy.cutAfter(200);
    await expect(askGrounds(engine)(question, call())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  });

  it('that lost the connections it kept: asked again, nothing is noticed', async () => {
    proxy.cut();
    await until(() => proxy.connections.open === 0, { what: 'all connections are gone' });
    expect((await askGrounds(engine)(question, call())).grounds).toEqual(held);
  });

  it('that takes a write and does not say so: unavailable, and the write stands once', async () => {
    const tuple = teamRightTuple(8, 1, 'read');
    proxy.cutAfter(0);
    await expect(writeTuples(engine)({ writes: [tuple], deletes: [] }, call()))
      .rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await proxy.release();
    const stored = () => direct.read({ ...tuple, relation: '' }, { size: 10, after: '' }, deadlineIn(5_000));
    expect((await stored()).tuples).toEqual([tuple]);
    await expect(writeTuples(engine)({ writes: [tuple], deletes: [] }, call()))
      .rejects.toMatchObject({ reason: 'CONFLICT' });
  });
});

describe('an engine that answers nonsense', () => {
  /** Replaces the true answer at a path; undefined passes the true answer on. */
  let lie: (path: string, answer: { status: number; text: string }) => { status: number; text: string } | undefined;
  let engine: Engine;
  const lines: string[] = [];
  const metrics = createMetrics({ service: 'authz', defaults: false });
  const liar = createServer((request, response) => void relay(request, response));

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const answer = await fetch(`${store.url}${request.url}`, {
      method: request.method!,
      headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const truth = { status: answer.status, text: await answer.text() };
    const { status, text } = lie(request.url!, truth) ?? truth;
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  }

  beforeAll(async () => {
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
    engine = open(`http://127.0.0.1:${(liar.address() as AddressInfo).port}`, {
      metrics, log: createLogger({ service: 'authz', destination: { write: (line) => lines.push(line) } }),
    });
    lie = () => undefined;
    expect((await askGrounds(engine)(question, call())).grounds).toEqual(held);
  });

  afterAll(async () => {
    await new Promise((resolve) => {
      liar.close(resolve);
      liar.closeAllConnections();
    });
  });

  interface Checks {
    result: Record<string, { allowed?: unknown; error?: unknown }>;
  }
  const checks = (change: (result: Checks['result']) => unknown) =>
    (path: string, { status, text }: { status: number; text: string }) => {
      if (!path.endsWith('/batch-check')) return undefined;
      const { result } = JSON.parse(text) as Checks;
      return { status, text: JSON.stringify({ result: change(result) ?? result }) };
    };
  const on = (end: string, status: number, text: string) => (path: string) =>
    (path.endsWith(end) ? { status, text } : undefined);
  const batch = (text: string) => on('/batch-check', 200, text);
  const fence = (text: string) => on('/read', 200, text);

  it.each<[string, typeof lie]>([
    ['no JSON', batch('<html>busy</html>')],
    ['an empty body', batch('')],
    ['an empty object', batch('{}')],
    ['a list', batch('[]')],
    ['one result less', checks((result) => void delete result['c0'])],
    ['one result more', checks((result) => void (result['c99'] = { allowed: true }))],
    ['results under other names', checks((result) =>
      Object.fromEntries(Object.values(result).map((value, index) => [`x${index}`, value])))],
    ['"true" for true', checks((result) => void (result['c0'] = { allowed: 'true' }))],
    ['1 for true', checks((result) => void (result['c0'] = { allowed: 1 }))],
    ['a question of ours called impossible', on('/batch-check', 400, '{"code":"type_not_found","message":""}')],
    ['a check of ours called impossible', checks((result) =>
      void (result['c0'] = { error: { input_error: 'relation_not_found', message: '' } }))],
    ['neither yes nor no', checks((result) => void (result['c0'] = {}))],
    ['an invalid fence', fence(JSON.stringify({
      tuples: [{ key: { user: 'revision:', relation: 'at', object: 'organization:5' } }], continuation_token: '',
    }))],
    ['invalid tuples', fence('{"tuples":[{}],"continuation_token":""}')],
    ['no tuples at all', fence('{}')],
  ])('%s: unavailable and an alarm', async (_what, told) => {
    const alarms = async () => Number(/nonsense_total\S* (\d+)/.exec((await metrics.render()).text)?.[1] ?? 0);
    const before = { lines: lines.length, alarms: await alarms() };
    lie = told;
    await expect(askGrounds(engine)(question, call())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    lie = () => undefined;
    expect(lines.slice(before.lines).join('')).toContain('"alarm":"engine nonsense"');
    expect(await alarms()).toBe(before.alarms + 1);
    expect((await askGrounds(engine)(question, call())).grounds).toEqual(held);
  });

  it.each(['<html>busy</html>', '', '[]', 'null', '{"result":{}}'])('%j to a write: unavailable, and no write', async (text) => {
    lie = on('/write', 200, text);
    await expect(writeTuples(engine)({ writes: [teamRightTuple(9, 1, 'read')], deletes: [] }, call()))
      .rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    lie = () => undefined;
  });

  it('one check of many that failed: unavailable, not the others', async () => {
    lie = checks((result) => void (result['c3'] = { error: { internal_error: 'deadline_exceeded', message: 'slow' } }));
    await expect(askGrounds(engine)(question, call())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    lie = () => undefined;
  });

  it.each([401, 403, 404, 429, 500, 502, 503])('status %d: unavailable', async (status) => {
    lie = on('/batch-check', status, '{"code":"x","message":"y"}');
    await expect(askGrounds(engine)(question, call())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    lie = () => undefined;
    expect((await askGrounds(engine)(question, call())).grounds).toEqual(held);
  });

  it('nothing of the key reaches the log', () => {
    expect(lines.join('')).not.toContain(store.presharedKey);
  });
});
