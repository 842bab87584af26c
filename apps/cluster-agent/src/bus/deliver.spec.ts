import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BusConnection, connectBus, eventSubject, type Member } from '@platform/bus';
import type { Resource } from '@platform/kubernetes';
import { createMetrics, createReadiness, type OpenService, silentLogger } from '@platform/service';
import { testBus, type TestBus, until } from '@platform/testing';
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

/** Delivers what is in the store, to a platform that takes all. */
async function deliver(): Promise<Heard[]> {
  const heard: Heard[] = [];
  await platform.subscribe(eventSubject(member, 1), ({ text, replyTo }) => {
    heard.push(JSON.parse(text) as Heard);
    void platform.publish(replyTo!, '{"stream":"spec","seq":1}');
  });
  const service = {
    stack: opened.use(new AsyncDisposableStack()), log: silentLogger, readiness: createReadiness(),
    metrics: createMetrics({ service: 'spec', defaults: false }),
  } as unknown as OpenService;
  openDelivery({ service, store, login: { url: bus.url, credentials: bus.credentials }, member, shards: 1 });
  await until(() => store.queue.length === 0, { what: 'the queue is empty' });
  return heard;
}

/** Says an object whose parts have so many bytes. */
function say(uid: string, given: { labels?: number; pods?: number; annotations?: number }, replicas = 1): void {
  const text = (bytes: number | undefined): string => 'x'.repeat(bytes ?? 1);
  const said = {
    kind: 'GenericResource', metadata: { name: uid, labels: { one: text(given.labels) } },
    spec: {
      uid, replicas, totalResource: { limits: { cpu: '1' } }, pods: [{ name: text(given.pods) }], storage: [{ name: 'data' }],
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
    const heard = await deliver();
    expect(heard.map(({ id, type }) => `${id} ${type.split('.').at(-2)}`).toSorted()).toEqual([
      'annotations.1 created', 'labels.1 created', 'labels.2 deleted', 'labels.2 updated', 'pods.1 created', 'small.1 created',
    ]);
    const of = (id: string) => heard.find((event) => event.id === id)!.data.resource;
    expect(of('pods.1')).toMatchObject({ metadata: { labels: { one: 'x' } }, spec: { storage: [{ name: 'data' }] } });
    expect(of('pods.1')['spec']).not.toHaveProperty('pods');
    expect(of('labels.1')['metadata']).toEqual({ name: 'labels' });
    expect(of('annotations.1')['spec']).toEqual({
      uid: 'annotations', replicas: 1, totalResource: { limits: { cpu: '1' } }, namespace: { name: 'demo' },
    });
    expect(of('small.1')['spec']).toHaveProperty('pods');
    expect(store.queue.bytes).toBe(0);
  });
});
