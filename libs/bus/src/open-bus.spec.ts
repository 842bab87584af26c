import { AckPolicy, type ConsumerConfig, DeliverPolicy, jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, nanos } from '@nats-io/transport-node';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import {
  createMetrics, createReadiness, deadlineIn, type OpenService, silentLogger, Unavailable,
} from '@platform/service';
import { busCluster, ownBus, testBus, type TestBus, until } from '@platform/testing';
import { type BusConnection, type BusMessage, connectBus } from './connection.ts';
import type { StoredMessage } from './consume.ts';
import { type Member, requestSubject } from './member-subjects.ts';
import { type Bus, openBus } from './open-bus.ts';

const question = { licenseID: 'licence', group: 'apps', resource: 'deployments' };
let shared: TestBus;
let opened: AsyncDisposableStack;
let clusters = 0;
const later: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  shared = await testBus();
});
afterEach(async () => {
  await opened.disposeAsync();
  await Promise.all(later.splice(0).map((close) => close()));
});

function open(url = shared.url, credentials = shared.credentials) {
  opened = new AsyncDisposableStack();
  const readiness = createReadiness();
  const metrics = createMetrics({ service: 'spec', defaults: false });
  const service = { stack: opened, log: silentLogger, metrics, readiness } as unknown as OpenService;
  const bus = openBus(service, { url, credentials });
  const isConnected = async () => /bus_connected\{[^}]*\} 1/.test((await metrics.render()).text);
  return { bus, readiness, isConnected };
}

/** Connects as the platform's own user until the end of the spec. */
async function managerOf({ url, credentials }: TestBus) {
  const client = await connect({
    servers: url, authenticator: credsAuthenticator(new TextEncoder().encode(credentials)),
  });
  later.push(() => client.close());
  return jetstreamManager(client);
}

/** Publishes a chunk. Resolves when the server has received it. */
type Say = (chunk: unknown) => Promise<void>;

/** Answers like a member, but from the platform's account, with a subject that only this spec uses. */
async function answering(
  answer: (requestId: string, say: Say, connection: BusConnection, asked: BusMessage) => unknown,
): Promise<Member> {
  const member = { ownerId: 7, clusterUid: `${shared.prefix}-${(clusters += 1)}`, productName: 'kubedb' };
  const connection = opened.use(await connectBus({ url: shared.url, credentials: shared.credentials }, 5_000));
  await connection.subscribe(requestSubject(member), (asked) => {
    const { text, replyTo } = asked;
    const { requestId } = JSON.parse(text) as { requestId: string };
    const say: Say = (chunk) => connection
      .publish(replyTo!, typeof chunk === 'string' ? chunk : JSON.stringify(chunk))
      // The spec may end before the server has received the chunk.
      .catch(() => undefined);
    answer(requestId, say, connection, asked);
  });
  return member;
}

const reasonOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(() => 'OK', (error: unknown) => (error instanceof Fault ? error.reason : String(error)));

describe('asking a member', () => {
  it('returns the items of all chunks in order, in any order and number of arrival', async () => {
    const { bus } = open();
    const member = await answering((requestId, say) => {
      void say({ requestId: 'another', seq: 1, last: true, items: ['not asked'] });
      void say({ requestId, seq: 3, last: true, items: [4] });
      void say({ requestId, seq: 1, last: false, items: [1, 2] });
      void say({ requestId, seq: 1, last: false, items: ['again'] });
      void say({ requestId, seq: 2, last: false, items: [3] });
    });
    expect(await bus.ask(member, question, deadlineIn(5_000))).toEqual([1, 2, 3, 4]);
  });

  it('asks for each chunk of an answer, so that it comes no faster than it is read', async () => {
    const { bus } = open();
    const items = 'x'.repeat(500_000);
    let questions: unknown;
    const member = await answering(async (requestId, _, connection, { text, replyTo }) => {
      questions = JSON.parse(text);
      for (let seq = 1; seq <= 16; seq += 1) {
        const chunk = JSON.stringify({ requestId, seq, last: seq === 16, items: [`${seq}${items}`] });
        // Fails if the chunk is not acknowledged.
        if (!await connection.request(replyTo!, chunk, 10_000).then(() => true, () => false)) return;
      }
    });
    const answer = await bus.ask(member, question, deadlineIn(20_000));
    expect(answer.map((item) => parseInt(item as string, 10))).toEqual(Array.from({ length: 16 }, (_, place) => place + 1));
    expect(questions).toMatchObject({ acknowledges: true });
  });

  it.each<[string, string, (requestId: string, say: Say) => unknown]>([
    ['is silent', 'DEADLINE_EXCEEDED', () => undefined],
    ['leaves a gap', 'DEADLINE_EXCEEDED', (requestId, say) => {
      void say({ requestId, seq: 1, last: false, items: [] });
      void say({ requestId, seq: 3, last: true, items: [] });
    }],
    ['does not know the licence', 'NOT_FOUND', (requestId, say) =>
      say({ requestId, seq: 1, last: true, error: { code: 'not_found', message: 'secret' } })],
    ['fails', 'BAD_UPSTREAM', (requestId, say) =>
      say({ requestId, seq: 1, last: true, error: { code: 'broken', message: 'secret' } })],
    ['is not understood', 'BAD_UPSTREAM', (_, say) => say('<html>')],
    ['numbers from 0', 'BAD_UPSTREAM', (requestId, say) => say({ requestId, seq: 0, last: true, items: [] })],
    ['says too much', 'BAD_UPSTREAM', async (requestId, say) => {
      // Send one chunk at a time: 18 MB at once would delay the answers to pings, and the client would then count the
      // bus as unavailable.
      for (let seq = 1; seq <= 20; seq += 1) await say({ requestId, seq, last: seq === 20, items: ['x'.repeat(900_000)] });
    }],
    ['says too many things', 'BAD_UPSTREAM', async (requestId, say) => {
      const items = Array.from({ length: 200_000 }, () => ({}));
      for (let seq = 1; seq <= 3; seq += 1) await say({ requestId, seq, last: seq === 3, items });
    }],
  ])('that %s is refused with %s', async (_, reason, answer) => {
    const { bus } = open();
    const member = await answering(answer);
    const asked = bus.ask(member, question, deadlineIn(reason === 'DEADLINE_EXCEEDED' ? 500 : 10_000));
    const fault = await asked.catch((error: unknown) => error as Fault);
    expect(fault).toMatchObject({ reason, message: expect.not.stringContaining('secret') });
  });

  it('that is away is refused with UNAVAILABLE at once, and so is every question without a bus', async () => {
    const { bus } = open();
    const away = { ownerId: 7, clusterUid: `${shared.prefix}-away`, productName: 'kubedb' };
    expect(await reasonOf(bus.ask(away, question, deadlineIn(60_000)))).toBe('UNAVAILABLE');
    await opened.disposeAsync();
    const without = open('nats://127.0.0.1:9');
    await expect(without.bus.ask(away, question, deadlineIn(300))).rejects.toMatchObject({ name: 'BusUnavailable' });
  });
});

describe('a stream', () => {
  const consumed = (
    bus: Bus, name: string, handle: (messages: readonly StoredMessage[]) => Promise<void>,
  ) => {
    const parked: string[] = [];
    const subjects = [`${name}.>`];
    bus.consume({
      stream: { name, subjects, maxAgeMs: 3_600_000 }, durable: 'spec', careMs: 1_000,
      handle,
      park: async ({ message }) => void parked.push(...textsOf([message])),
    });
    return parked;
  };
  const textsOf = (messages: readonly StoredMessage[]) => messages.map(({ data }) => Buffer.from(data).toString());

  it('brings every message until it is handled, and parks what never is, which holds up no other', async () => {
    const { bus } = open();
    const handled = new Set<string>();
    let failures = 0;
    const parked = consumed(bus, `${shared.prefix}S`, async (messages) => {
      const texts = textsOf(messages);
      if (texts.includes('poison')) throw new Error('it cannot be read');
      if (texts.includes('later') && (failures += 1) < 3) throw new Error('not now');
      for (const text of texts) handled.add(text);
    });
    const publisher = opened.use(await connectBus({ url: shared.url, credentials: shared.credentials }, 5_000));
    const send = (text: string) => publisher.request(`${shared.prefix}S.one`, text, 1_000);
    await until(() => send('first').then(() => true), { what: 'the stream is there' });
    for (const text of ['poison', 'later', 'last']) await send(text);
    await until(() => handled.size === 3 && parked.length === 1, { within: 40_000, what: 'all are handled or parked' });
    expect(handled).toEqual(new Set(['first', 'later', 'last']));
    expect(parked).toEqual(['poison']);
  }, 60_000);

  it.each<[string, Partial<ConsumerConfig>]>([
    ['other settings', { ack_wait: nanos(60_000), max_deliver: 3, max_ack_pending: 10, description: 'of an older version' }],
    ['a subject of its own', { filter_subject: 'nothing' }],
    ['another way of acknowledging', { ack_policy: AckPolicy.All }],
    ['another start', { deliver_policy: DeliverPolicy.New }],
  ])('is read by a consumer that is there with %s, which is brought in line', async (_, config) => {
    const name = `${shared.prefix}C${(clusters += 1)}`;
    const manager = await managerOf(shared);
    await manager.streams.add({ name, subjects: [`${name}.>`, ...(config.filter_subject === undefined ? [] : ['nothing'])] });
    await manager.consumers.add(name, { durable_name: 'spec', ack_policy: AckPolicy.Explicit, ...config });
    const { bus, readiness } = open();
    const publisher = opened.use(await connectBus({ url: shared.url, credentials: shared.credentials }, 5_000));
    await publisher.request(`${name}.one`, 'waiting', 5_000);
    const handled: string[] = [];
    consumed(bus, name, async (messages) => void handled.push(...textsOf(messages)));
    await until(() => handled.length === 1, { what: 'what waited is handled' });
    const { config: found } = await manager.consumers.info(name, 'spec');
    expect(found).toMatchObject({
      ack_policy: 'explicit', ack_wait: nanos(30_000), max_ack_pending: 20_000, max_deliver: -1,
    });
    expect([found.filter_subject, found.description ?? '']).toEqual([undefined, '']);
    expect((await readiness.report()).checks.filter(({ ok }) => !ok)).toEqual([]);
  });

  it('that cannot be read is mentioned by readiness, until it can', async () => {
    const name = `${shared.prefix}U`;
    const manager = await managerOf(shared);
    // Two streams cannot have the same subject.
    await manager.streams.add({ name: `${name}other`, subjects: [`${name}.>`] });
    const { bus, readiness } = open();
    consumed(bus, name, async () => undefined);
    const said = async () => (await readiness.report()).checks.find((check) => check.name === `stream ${name}`)!;
    await until(async () => (await said()).reason?.includes('overlap'), { what: 'it is mentioned' });
    expect(await said()).toMatchObject({ ok: false, needed: false });
    await manager.streams.delete(`${name}other`);
    await until(async () => (await said()).ok, { what: 'it is read' });
  });

  it('that is stored and not delivered is mentioned by readiness, and read again when its consumer is made anew', async () => {
    // nats-server 2.15.2 answers requests to a paused consumer as if there were no messages.
    const name = `${shared.prefix}P`;
    const manager = await managerOf(shared);
    const { bus, readiness } = open();
    const handled = new Set<string>();
    consumed(bus, name, async (messages) => textsOf(messages).forEach((text) => handled.add(text)));
    const said = async () => (await readiness.report()).checks.find((check) => check.name === `stream ${name}`)!;
    await until(async () => (await said()).ok, { what: 'it is read' });
    await manager.consumers.pause(name, 'spec', new Date(Date.now() + 3_600_000));
    const publisher = opened.use(await connectBus({ url: shared.url, credentials: shared.credentials }, 5_000));
    await publisher.request(`${name}.one`, 'waiting', 5_000);
    await until(async () => !(await said()).ok, { within: 40_000, what: 'it is mentioned' });
    expect([(await said()).reason, handled.size]).toEqual([expect.stringContaining('paused'), 0]);
    await manager.consumers.delete(name, 'spec');
    await until(() => handled.has('waiting'), { within: 20_000, what: 'what waited is handled' });
    await until(async () => (await said()).ok, { within: 20_000, what: 'it is read' });
  }, 90_000);

  it('keeps only what is not handled, and is tested by a message that no handler sees', async () => {
    const name = `${shared.prefix}K`;
    const manager = await managerOf(shared);
    const { bus } = open();
    const handled: string[] = [];
    consumed(bus, name, async (messages) => {
      // A message alone is retried later. If a batch fails, its messages are handled one at a time.
      if (textsOf(messages).includes('waiting')) throw messages.length === 1 ? new Unavailable('not now') : new Error('no');
      handled.push(...textsOf(messages));
    });
    const publisher = opened.use(await connectBus({ url: shared.url, credentials: shared.credentials }, 5_000));
    const send = (text: string) => publisher.request(`${name}.one`, text, 1_000);
    await until(() => send('first').then(() => true), { what: 'the stream is there' });
    for (const text of ['second', 'waiting', 'last']) await send(text);
    const state = async () => (await manager.streams.info(name, { subjects_filter: '>' })).state;
    await until(async () => (await state()).first_seq > 1, { within: 40_000, what: 'the handled message is gone' });
    const kept = await Promise.all(Object.keys((await state()).subjects!).map(async (subject) =>
      (await manager.streams.getMessage(name, { last_by_subj: subject }))!.string()));
    expect(kept).not.toContain('first');
    expect(Object.keys((await state()).subjects!)).toContain(`${name}.probe`);
    expect(handled.filter((text) => !['first', 'second', 'last'].includes(text))).toEqual([]);
  }, 60_000);

  it('has three copies on a cluster, and keeps as many as it has', async () => {
    const cluster = await busCluster(shared.credentials);
    consumed(open(cluster.url).bus, 'COPIES', async () => undefined);
    const client = await connect({ servers: cluster.url.split(',') });
    const { streams } = await jetstreamManager(client);
    const copies = async () => (await streams.info('COPIES')).config.num_replicas;
    await until(() => copies().then((count) => count === 3), { within: 30_000, what: 'the stream has three copies' });
    await opened.disposeAsync();
    const { bus } = open(cluster.url);
    opened.defer(() => client.close());
    const handled = Promise.withResolvers<void>();
    consumed(bus, 'COPIES', async () => handled.resolve());
    await until(() => bus.publish('COPIES.one', 'text', deadlineIn(5_000)).then(() => true), {
      within: 30_000, what: 'the stream takes messages',
    });
    await handled.promise;
    expect(await copies()).toBe(3);
  }, 120_000);

  it('comes in batches of at most 1 MiB, or of one larger message', async () => {
    const { bus } = open();
    const batches: number[][] = [];
    consumed(bus, `${shared.prefix}B`, async (messages) => void batches.push(messages.map(({ data }) => data.length)));
    const publisher = opened.use(await connectBus({ url: shared.url, credentials: shared.credentials }, 5_000));
    const send = (length: number) => publisher.request(`${shared.prefix}B.one`, 'x'.repeat(length), 5_000);
    await until(() => send(1).then(() => true), { what: 'the stream is there' });
    const lengths = [...Array.from({ length: 6 }, () => 400_000), 1_048_576, 2];
    await Promise.all(lengths.map(send));
    await until(() => batches.flat().length === lengths.length + 1, { within: 20_000, what: 'all are handled' });
    expect(batches.flat().toSorted((a, b) => a - b)).toEqual([1, ...lengths].toSorted((a, b) => a - b));
    const sizes = batches.filter(({ length }) => length > 1).map((batch) => batch.reduce((sum, one) => sum + one));
    expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(1_048_576);
  }, 60_000);

  it('goes on after the server was killed, and readiness mentions the outage alone', async () => {
    await using server = await ownBus();
    const { bus, readiness, isConnected } = open(server.access.url, server.access.credentials);
    const handled = new Set<string>();
    consumed(bus, 'KEPT', async (messages) => textsOf(messages).forEach((text) => handled.add(text)));
    const publish = async (text: string) => {
      await using publisher = await connectBus({ url: server.access.url, credentials: server.access.credentials }, 5_000);
      await publisher.request('KEPT.one', text, 1_000);
    };
    await until(() => publish('before').then(() => true), { within: 15_000, what: 'the stream is there' });
    await until(() => handled.has('before'), { within: 15_000, what: 'it is handled' });
    await server.kill();
    await until(async () => !(await isConnected()), { within: 15_000, what: 'the outage is noticed' });
    expect(await readiness.report()).toMatchObject({
      ready: true, checks: [{ name: 'NATS', ok: false, needed: false }, { name: 'stream KEPT', needed: false }],
    });
    await server.start();
    await until(() => publish('after').then(() => true), { within: 15_000, what: 'the server is back' });
    await until(() => handled.has('after'), { within: 15_000, what: 'it is handled' });
    await bus.publish('KEPT.two', 'published', deadlineIn(5_000));
    await until(() => handled.has('published'), { within: 15_000, what: 'the published one is handled' });
  }, 90_000);
});
