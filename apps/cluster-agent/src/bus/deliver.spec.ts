import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type BusConnection, type BusMessage, connectBus, eventSubject, type Member, memberRequestSubject,
} from '@platform/bus';
import type { Resource } from '@platform/kubernetes';
import { createLogger, createMetrics, createReadiness, type OpenService, silentLogger } from '@platform/service';
import { tcpProxy, testBus, type TestBus, until } from '@platform/testing';
import { openStore, type Store } from '../store/store.ts';
import { openDelivery } from './deliver.ts';

const resource: Resource = {
  group: 'apps', version: 'v1', name: 'deployments', kind: 'Deployment', scope: 'Namespaced',
};
const mebibyte = 1024 * 1024;

interface Heard {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly resource: Record<string, Record<string, unknown>> };
}

let bus: TestBus;
let opened: AsyncDisposableStack;
let platform: BusConnection;
let store: Store;
let member: Member;
beforeAll(async () => {
  bus = await testBus();
});
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'agent-deliver-'));
  opened.defer(() => rmSync(folder, { recursive: true }));
  store = opened.use(openStore(folder, 'platform.dev'));
  store.useLicence('1');
  member = { ownerId: 7, clusterUid: randomUUID(), productName: 'productdb' };
  platform = opened.use(await connectBus({ url: bus.url, credentials: bus.credentials }, 5_000));
});
afterEach(() => opened.disposeAsync() as Promise<void>);

/** Delivers the stored events and answers until the test ends. */
function open({ url = bus.url, log = silentLogger } = {}): Pick<OpenService, 'readiness' | 'metrics'> {
  const service = {
    stack: opened.use(new AsyncDisposableStack()), log, readiness: createReadiness(),
    metrics: createMetrics({ service: 'spec', defaults: false }),
  } as unknown as OpenService;
  openDelivery({ service, store, login: { url, credentials: bus.credentials }, member, shards: 1 });
  return service;
}

/** Delivers the stored events to a platform that accepts all of them. */
async function deliver(): Promise<{ heard: Heard[]; dropped: number }> {
  const heard: Heard[] = [];
  await platform.subscribe(eventSubject(member, 1), ({ text, replyTo }) => {
    heard.push(JSON.parse(text) as Heard);
    void platform.publish(replyTo!, '{"stream":"spec","seq":1}');
  });
  const { metrics } = open();
  await until(() => store.queue.length === 0, { what: 'the queue is empty' });
  const [, dropped = 0] = /^agent_events_dropped_total\S* (\d+)$/m.exec((await metrics.render()).text) ?? [];
  return { heard, dropped: Number(dropped) };
}

/** Reports an object whose parts have these sizes in bytes. */
function say(
  uid: string, given: { labels?: number; pods?: number; annotations?: number; mode?: number; other?: number }, replicas = 1,
): void {
  const text = (bytes: number | undefined): string => 'x'.repeat(bytes ?? 1);
  const said = {
    kind: 'GenericResource', metadata: { name: uid, labels: { one: text(given.labels) } },
    spec: {
      uid, replicas, cluster: { mode: text(given.mode) }, other: text(given.other),
      totalResource: { limits: { cpu: '1' } }, pods: [{ name: text(given.pods) }], storage: [{ name: 'data' }],
      namespace: { name: 'demo', aceOrgMetadata: { one: text(given.annotations) } },
    },
  };
  store.say({
    uid, resource, generation: undefined,
    content: (licenseID) => ({ source: '/s', data: JSON.stringify({ licenseID, resourceID: resource, resource: said }) }),
  }, new Date());
}

describe('an event of more than the bus takes', () => {
  it('is sent without optional parts, as few of them as possible, also when the object came or went', async () => {
    say('pods', { pods: mebibyte });
    say('labels', { labels: mebibyte });
    say('annotations', { annotations: mebibyte });
    say('small', {});
    say('labels', { labels: 2 * mebibyte }, 2);
    store.sayGone('labels', new Date());
    const { heard } = await deliver();
    expect(heard.map(({ id, type }) => `${id} ${type.split('.').at(-2)}`).toSorted()).toEqual([
      'annotations.1 created', 'labels.1 created', 'labels.2 deleted', 'labels.2 updated', 'pods.1 created', 'small.1 created',
    ]);
    const of = (id: string) => heard.find((event) => event.id === id)!.data.resource;
    expect(of('pods.1')).toMatchObject({ metadata: { labels: { one: 'x' } }, spec: { storage: [{ name: 'data' }] } });
    expect(of('pods.1')['spec']).not.toHaveProperty('pods');
    expect(of('labels.1')['metadata']).toEqual({ name: 'labels' });
    expect(of('annotations.1')['spec']).toEqual({
      uid: 'annotations', replicas: 1, cluster: { mode: 'x' }, other: 'x', totalResource: { limits: { cpu: '1' } },
      namespace: { name: 'demo' },
    });
    expect(of('small.1')['spec']).toHaveProperty('pods');
    expect(store.queue.bytes).toBe(0);
  });

  it('ends with what counts when the object came or went, and is dropped when it has changed', async () => {
    say('mode', { mode: mebibyte });
    say('other', { other: mebibyte });
    say('other', { other: 2 * mebibyte }, 2);
    store.sayGone('other', new Date());
    const { heard, dropped } = await deliver();
    expect(heard.map(({ id, type }) => `${id} ${type.split('.').at(-2)}`).toSorted()).toEqual([
      'mode.1 created', 'other.1 created', 'other.2 deleted',
    ]);
    expect(dropped).toBe(1);
    const counted = (uid: string, replicas: number, mode: string) => ({
      licenseID: '1', resourceID: resource, since: expect.any(String),
      resource: {
        kind: 'GenericResource', metadata: { name: uid },
        spec: { uid, replicas, cluster: { mode }, totalResource: { limits: { cpu: '1' } }, namespace: { name: 'demo' } },
      },
    });
    const of = (id: string) => heard.find((event) => event.id === id)!.data;
    expect(of('mode.1')).toEqual(counted('mode', 1, 'x'.repeat(128)));
    expect(of('other.1')).toEqual(counted('other', 1, 'x'));
    expect(of('other.2')).toEqual(counted('other', 2, 'x'));
  });

  it('keeps of a SiteInfo what reports show', async () => {
    const kubernetes = {
      cluster: { uid: 'c', mode: 'prod' }, version: { gitVersion: 'v1.30.0' },
      nodeStats: { count: 3, capacity: { cpu: '12', memory: '48Gi' } },
    };
    const product = { licenseID: '1', productName: 'productdb', version: { version: '1' } };
    const info = { kind: 'SiteInfo', metadata: { name: '1.productdb' }, product, kubernetes };
    const large = { ...info, kubernetes: { ...kubernetes, version: { gitVersion: 'v1.30.0', other: 'x'.repeat(mebibyte) } } };
    store.say({
      uid: 'c', resource, generation: undefined,
      content: (licenseID) => ({ source: '/s', data: JSON.stringify({ licenseID, resourceID: resource, resource: large }) }),
    }, new Date());
    const { heard } = await deliver();
    expect(heard.map(({ data }) => data.resource)).toEqual([info]);
  });
});

/** Messages in order of arrival; the test decides when to answer each. */
async function inbox(subject: string): Promise<{ all: BusMessage[]; nth(count: number): Promise<BusMessage> }> {
  const all: BusMessage[] = [];
  await platform.subscribe(subject, (message) => void all.push(message));
  return { all, nth: (count) => until(() => all[count - 1], { what: `message ${count} came` }) };
}

describe('an event that the platform refuses', () => {
  it('stays queued, readiness says why, and it is sent until it is accepted', async () => {
    const events = await inbox(eventSubject(member, 1));
    say('refused', {});
    const { readiness } = open();
    const state = async () => (await readiness.report()).checks.find(({ name }) => name === 'NATS')!;
    const first = await events.nth(1);
    for (const [count, code] of [[1, 429], [2, 503]] as const) {
      const refusal = { error: { code, description: `refused with ${code}` } };
      await platform.publish((await events.nth(count)).replyTo!, JSON.stringify(refusal));
      expect((await events.nth(count + 1)).text).toBe(first.text);
      expect(await state()).toEqual({ name: 'NATS', ok: false, needed: false, reason: `refused with ${code}` });
      expect(store.queue.length).toBe(1);
    }
    await platform.publish((await events.nth(3)).replyTo!, '{"stream":"spec","seq":1}');
    await until(() => store.queue.length === 0, { what: 'the queue is empty' });
    expect(await until(async () => (await state()).ok, { what: 'readiness knows that it is accepted' })).toBe(true);
    expect(events.all).toHaveLength(3);
  });
});

describe('a connection that is lost again and again', () => {
  it('is replaced each time without longer pauses', async () => {
    const lines: string[] = [];
    const log = createLogger({ service: 'spec', destination: { write: (line) => void lines.push(line) } });
    await using proxy = await tcpProxy(bus.url);
    const events: string[] = [];
    await platform.subscribe(eventSubject(member, 1), ({ text, replyTo }) => {
      events.push((JSON.parse(text) as Heard).id);
      void platform.publish(replyTo!, '{"stream":"spec","seq":1}');
    });
    open({ url: `nats://${proxy.address}`, log });
    for (let count = 1; count <= 4; count += 1) {
      say(`object-${count}`, {});
      await until(() => store.queue.length === 0, { what: `event ${count} was sent` });
      proxy.cut();
      await until(() => lines.filter((line) => line.includes('the connection to the bus was lost')).length === count, {
        what: `the loss ${count} is logged`,
      });
    }
    expect(new Set(events).size).toBe(4);
    expect(lines.filter((line) => line.includes('background work failed'))).toEqual([]);
  });
});

describe('an answer of several chunks', () => {
  it('goes on only after each chunk was acknowledged', async () => {
    store.transact(() => {
      for (let count = 0; count < 4_000; count += 1) say(`object-${count}`, {});
    });
    store.queue.taken(store.queue.first(4_000));
    const { readiness } = open();
    await until(async () => (await readiness.report()).checks.every(({ ok }) => ok), { what: 'the agent is connected' });
    const answers = `_INBOX.${randomUUID()}`;
    const chunks = await inbox(answers);
    const ask = (requestId: string, acknowledges: boolean) => platform.publish(memberRequestSubject(member), JSON.stringify({
      requestId, licenseID: '1', group: '', resource: '', deadline: Date.now() + 60_000, acknowledges,
    }), { replyTo: answers });
    const read = ({ text }: BusMessage) => JSON.parse(text) as { requestId: string; seq: number; last: boolean };
    await ask('waits', true);
    expect(read(await chunks.nth(1))).toMatchObject({ requestId: 'waits', seq: 1, last: false });
    // The agent answers this question completely and later, so a second chunk of the first question would have arrived.
    await ask('other', false);
    await until(() => chunks.all.some((chunk) => read(chunk).requestId === 'other' && read(chunk).last), {
      what: 'the other answer came',
    });
    const ofFirst = () => chunks.all.filter((chunk) => read(chunk).requestId === 'waits');
    expect(ofFirst()).toHaveLength(1);
    await platform.publish(ofFirst()[0]!.replyTo!, '');
    const second = await until(() => ofFirst()[1], { what: 'the second chunk came' });
    expect(read(second)).toMatchObject({ seq: 2 });
  });
});
