import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/rpc';
import { createMetrics, createReadiness, deadlineIn, type OpenService, silentLogger } from '@platform/service';
import { busCluster, ownBus, testBus, type TestBus, until } from '@platform/testing';
import { type BusConnection, connectBus } from './connection.ts';
import type { Refusal, StoredMessage } from './consume.ts';
import { type Member, requestSubject } from './member-subjects.ts';
import { type Bus, openBus } from './open-bus.ts';

const question = { licenseID: 'licence', group: 'apps', resource: 'deployments' };
let shared: TestBus;
let opened: AsyncDisposableStack;
let clusters = 0;

beforeAll(async () => {
  shared = await testBus();
});
afterEach(() => opened.disposeAsync() as Promise<void>);

function open(url = shared.url, credentials = shared.credentials) {
  opened = new AsyncDisposableStack();
  const readiness = createReadiness();
  const metrics = createMetrics({ service: 'spec', defaults: false });
  const service = { stack: opened, log: silentLogger, metrics, readiness } as unknown as OpenService;
  const bus = openBus(service, { url, credentials });
  const isConnected = async () => /bus_connected\{[^}]*\} 1/.test((await metrics.render()).text);
  return { bus, readiness, isConnected };
}

/** Publishes a chunk; resolves when the server has it. */
type Say = (chunk: unknown) => Promise<void>;

/** Answers as a member does, in the platform's account, under the subject of a member that nothing else asks. */
async function answering(
  answer: (requestId: string, say: Say, connection: BusConnection) => unknown,
): Promise<Member> {
  const member = { ownerId: 7, clusterUid: `${shared.prefix}-${(clusters += 1)}`, productName: 'kubedb' };
  const connection = opened.use(await connectBus({ url: shared.url, credentials: shared.credentials }, 5_000));
  await connection.subscribe(requestSubject(member), ({ text, replyTo }) => {
    const { requestId } = JSON.parse(text) as { requestId: string };
    const say: Say = (chunk) => connection
      .publish(replyTo!, typeof chunk === 'string' ? chunk : JSON.stringify(chunk))
      // The spec may be over before the server has it.
      .catch(() => undefined);
    answer(requestId, say, connection);
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
      // One by one: 18 MB at once hold up the answers to the pings of a busy client, which then takes the bus for away.
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
    bus: Bus, name: string, handle: (messages: readonly StoredMessage[]) => Promise<readonly Refusal[] | void>,
  ) => {
    const parked: string[] = [];
    const subjects = [`${name}.>`];
    bus.consume({
      stream: { name, subjects, maxAgeMs: 3_600_000 }, durable: 'spec',
      handle: async (messages) => (await handle(messages)) ?? [],
      park: async (refusals) => void parked.push(...textsOf(refusals.map(({ message }) => message))),
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

  it('takes a batch without the messages that are refused, which are parked on the fifth delivery', async () => {
    const { bus } = open();
    const handled: string[] = [];
    let refused = 0;
    const parked = consumed(bus, `${shared.prefix}R`, async (messages) => {
      const bad = messages.filter(({ data }) => Buffer.from(data).toString() === 'bad');
      refused += bad.length;
      handled.push(...textsOf(messages.filter((message) => !bad.includes(message))));
      return bad.map((message) => ({ message, error: new Error('malformed') }));
    });
    const publisher = opened.use(await connectBus({ url: shared.url, credentials: shared.credentials }, 5_000));
    const send = (text: string) => publisher.request(`${shared.prefix}R.one`, text, 1_000);
    await until(() => send('first').then(() => true), { what: 'the stream is there' });
    for (const text of ['bad', 'good']) await send(text);
    await until(() => parked.length === 1, { within: 40_000, what: 'the refused one is parked' });
    expect({ handled: handled.toSorted(), refused, parked }).toEqual({
      handled: ['first', 'good'], refused: 5, parked: ['bad'],
    });
  }, 60_000);

  it('with more refused messages than usually wait for their next try brings those behind them', async () => {
    const { bus } = open();
    let parkedBefore: number | undefined;
    const parked = consumed(bus, `${shared.prefix}W`, async (messages) => {
      const texts = textsOf(messages);
      if (texts.includes('good')) parkedBefore = parked.length;
      return messages.filter((_, place) => texts[place] === 'bad')
        .map((message) => ({ message, error: new Error('malformed') }));
    });
    const publisher = opened.use(await connectBus({ url: shared.url, credentials: shared.credentials }, 5_000));
    const send = (text: string) => publisher.request(`${shared.prefix}W.one`, text, 5_000);
    await until(() => send('first').then(() => true), { what: 'the stream is there' });
    const bad = 1_500;
    await Promise.all(Array.from({ length: bad }, () => send('bad')));
    await send('good');
    await until(() => parkedBefore !== undefined, { within: 40_000, what: 'the good one is handled' });
    // Where 1,000 may wait, it comes when this many are parked.
    expect(parkedBefore).toBeLessThan(bad - 1_000);
    await until(() => parked.length === bad, { within: 60_000, what: 'the others are parked' });
  }, 120_000);

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
    expect(await readiness.report()).toMatchObject({ ready: true, checks: [{ name: 'NATS', ok: false, needed: false }] });
    await server.start();
    await until(() => publish('after').then(() => true), { within: 15_000, what: 'the server is back' });
    await until(() => handled.has('after'), { within: 15_000, what: 'it is handled' });
    await bus.publish('KEPT.two', 'published', deadlineIn(5_000));
    await until(() => handled.has('published'), { within: 15_000, what: 'the published one is handled' });
  }, 90_000);
});
