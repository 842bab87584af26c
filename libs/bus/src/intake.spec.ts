import { jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createMetrics, createReadiness, type OpenService, services, silentLogger } from '@platform/service';
import { ownBus, type OwnBus, until } from '@platform/testing';
import { connectBus } from './connection.ts';
import type { StoredMessage } from './consume.ts';
import {
  eventSubject, type Exporter, type Member, memberPermissions, organizationImports, platformExports, shardSubject,
} from './member-subjects.ts';
import {
  addExports, createAccountKeys, createServiceUser, createUser, inboxPrefixOf, signAccount,
} from './operator.ts';
import { type Bus, openBus } from './open-bus.ts';
import type { IntakeOptions } from './intake.ts';
import { createRefuser } from './refuse-events.ts';
import { accountOf, readAccount } from './read-jwt.ts';
import type { ShareRates } from './shares.ts';
import { lookUpAccount, pushAccount } from './system-account.ts';

const productName = 'productdb';
const acme: Member = { ownerId: 7, clusterUid: '00000000-0000-4000-8000-000000000007', productName };
const neighbour: Member = { ...acme, clusterUid: '00000000-0000-4000-8000-000000000077' };
const sister: Member = { ...acme, productName: 'otherdb' };
/** A member whose events take another lane of the intake. */
const other: Member = { ownerId: 12, clusterUid: '00000000-0000-4000-8000-000000000012', productName };
const plenty: ShareRates = { eventsPerSecond: 100_000, bytesPerSecond: 2 ** 30, waitingBytes: 2 ** 30 };

let server: OwnBus;
let exporter: Exporter;
const seeds = new Map<number, string>();
beforeAll(async () => {
  server = await ownBus();
  const { credentials, accountSeed, operatorSeed } = server.access;
  exporter = { publicKey: accountOf(credentials), seed: accountSeed };
  const system = { url: server.access.url, credentials: server.access.systemCredentials };
  const held = (await lookUpAccount(system, exporter.publicKey, 5_000))!;
  await pushAccount(system, (await addExports(operatorSeed, exporter.publicKey, held, platformExports))!, 5_000);
  for (const { ownerId } of [acme, other]) {
    const { publicKey, seed } = createAccountKeys();
    const imports = await organizationImports(exporter, publicKey, ownerId, 1);
    await pushAccount(system, await signAccount(operatorSeed, publicKey, { name: `o${ownerId}`, jetstream: false, imports }), 5_000);
    seeds.set(ownerId, seed);
  }
}, 60_000);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

let opened: AsyncDisposableStack;
let stored: StoredMessage[];
beforeEach(() => {
  opened = new AsyncDisposableStack();
  stored = [];
});
afterEach(async () => {
  await opened.disposeAsync();
  const { streams } = await manager();
  await streams.delete('events-s0').catch(() => undefined);
  await client?.close();
  client = undefined;
});

const textOf = ({ data }: StoredMessage) => Buffer.from(data).toString();
let client: NatsConnection | undefined;
async function manager() {
  client ??= await raw(server.access.credentials);
  return jetstreamManager(client);
}

/** Connects with the NATS client library directly. */
function raw(credentials: string): Promise<NatsConnection> {
  return connect({ servers: server.access.url, authenticator: credsAuthenticator(new TextEncoder().encode(credentials)) });
}

async function credentialsOf(member: Member): Promise<string> {
  const { credentials } = await createUser(seeds.get(member.ownerId)!, { name: 'member', ...memberPermissions(member) });
  return credentials;
}

async function connectAs(member: Member) {
  const connection = opened.use(await connectBus({ url: server.access.url, credentials: await credentialsOf(member) }, 5_000));
  const subject = eventSubject(member, 1);
  return { ...connection, send: (text: string) => connection.sendEvent(subject, text, 10_000) };
}

/** Starts a service that takes events from members. */
async function take(rates: ShareRates, read = true, keptRefusal: IntakeOptions['keptRefusal'] = () => undefined): Promise<Bus> {
  const service = {
    stack: opened, log: silentLogger, readiness: createReadiness(), metrics: createMetrics({ service: 'spec', defaults: false }),
  } as unknown as OpenService;
  // Uses the permissions of the real service and no others.
  const { name, bus: use } = services.find((row) => row.name === 'billing-dashboard')!;
  const { credentials } = await createServiceUser(exporter.seed, exporter.publicKey, name, use!);
  const bus = openBus(service, { url: server.access.url, credentials, inboxPrefix: inboxPrefixOf(name) });
  const { streams, consumers } = await manager();
  await streams.add({ name: 'events-s0', subjects: [shardSubject(0)], allow_atomic: true });
  if (read) readAll(bus);
  else await consumers.add('events-s0', { durable_name: 'spec', ack_policy: 'explicit' });
  bus.takeEvents({ shards: 1, rates, durable: 'spec', keptRefusal });
  await until(async () => (await service.readiness.report()).checks.find(({ name }) => name === 'intake of events')!.ok, {
    what: 'events are taken',
  });
  return bus;
}

function readAll(bus: Bus): void {
  bus.consume({
    stream: { name: 'events-s0', subjects: [shardSubject(0)], maxAgeMs: 3_600_000 }, durable: 'spec',
    handle: async (messages) => void stored.push(...messages), park: async () => undefined,
  });
}

const outcomesOf = async (sent: readonly Promise<void>[]) =>
  (await Promise.allSettled(sent)).map((one) => (one.status === 'fulfilled' ? 'stored' : String((one.reason as { code?: number }).code)));

describe('events of members', () => {
  // nats-server 2.15.2 treats messages with the same Nats-Msg-Id as duplicates in the whole stream.
  it('are all stored, whatever headers they have that a stream obeys', async () => {
    await take(plenty);
    const [mine, others] = [await raw(await credentialsOf(acme)), await raw(await credentialsOf(other))];
    opened.defer(async () => void await Promise.all([mine.close(), others.close()]));
    const send = async (connection: NatsConnection, member: Member, text: string, name: string, value: string) => {
      const head = headers();
      head.set(name, value);
      const reply = await connection.request(eventSubject(member, 1), text, { headers: head, timeout: 5_000 });
      return reply.json<{ stream: string; seq: number; duplicate?: boolean; error?: object }>();
    };
    const given: [NatsConnection, Member, string, string, string][] = [
      [mine, acme, 'created', 'Nats-Msg-Id', 'x'], [mine, acme, 'deleted', 'Nats-Msg-Id', 'x'],
      [others, other, 'of another', 'Nats-Msg-Id', 'x'],
      ...Object.entries({
        'Nats-Expected-Stream': 'none', 'Nats-Expected-Last-Sequence': '99', 'Nats-Expected-Last-Msg-Id': 'y',
        'Nats-Expected-Last-Subject-Sequence': '99', 'Nats-Rollup': 'all', 'Nats-TTL': '1s', 'Nats-Incr': '1',
        'Nats-Schedule': '@every 1s', 'Nats-Batch-Id': 'b', 'Nats-Stream-Source': 's',
      }).map(([name, value]): (typeof given)[number] => [mine, acme, name, name, value]),
    ];
    for (const one of given) {
      expect(await send(...one)).toEqual({ stream: 'events-s0', seq: expect.any(Number) });
    }
    await until(() => stored.length === given.length, { what: 'all are read' });
    expect(stored.map(textOf)).toEqual(given.map(([, , text]) => text));
    const { streams } = await manager();
    const kept = await streams.getMessage('events-s0', { last_by_subj: eventSubject(acme, 1) });
    expect([kept?.string(), kept?.header.keys()]).toEqual(['Nats-Stream-Source', []]);
  });

  it('beyond the share of a member, and of its organization, are refused with a reason', async () => {
    await take({ ...plenty, eventsPerSecond: 0.1 });
    const [one, two, another] = [await connectAs(acme), await connectAs(neighbour), await connectAs(other)];
    const many = async (sender: typeof one, count: number) => outcomesOf(Array.from({ length: count }, () => sender.send('{}')));
    expect((await many(one, 5)).toSorted()).toEqual(['429', '429', 'stored', 'stored', 'stored']);
    expect((await many(two, 5)).toSorted()).toEqual(['429', '429', 'stored', 'stored', 'stored']);
    expect(await many(another, 2)).toEqual(['stored', 'stored']);
    // Clients without support for shares receive the answer that no service received the event.
    const old = await raw(await credentialsOf(acme));
    opened.defer(() => old.close());
    await expect(old.request(eventSubject(acme, 1), '{}', { timeout: 5_000 })).rejects.toMatchObject({
      cause: { name: 'NoResponders' },
    });
  });

  it('of a member of which no more is kept are refused with the reason, and taken once there is room', async () => {
    let isFull = true;
    await take(plenty, true, ({ clusterUid }) => (
      isFull && clusterUid === acme.clusterUid ? { reason: 'full', retrySeconds: 60 } : undefined
    ));
    const [mine, beside, another] = [await connectAs(acme), await connectAs(neighbour), await connectAs(other)];
    await expect(mine.send('{}')).rejects.toMatchObject({ code: 429, message: 'full', retryMs: 60_000 });
    expect(await outcomesOf([beside.send('{}'), another.send('{}')])).toEqual(['stored', 'stored']);
    isFull = false;
    await until(() => mine.send('{}').then(() => true, () => false), { within: 20_000, what: 'an event is stored' });
  });

  it('of more bytes than a member or its organization may have waiting are refused until those before are read', async () => {
    const bus = await take({ ...plenty, waitingBytes: 1_300 }, false);
    const [mine, beside, third, another] = [
      await connectAs(acme), await connectAs(neighbour), await connectAs(sister), await connectAs(other),
    ];
    const text = 'x'.repeat(400);
    expect(await outcomesOf([mine.send(text)])).toEqual(['stored']);
    expect(await outcomesOf([mine.send(text), beside.send(text)])).toEqual(['429', 'stored']);
    expect(await outcomesOf([third.send(text), another.send(text)])).toEqual(['429', 'stored']);
    // Events without data count, too, because a stream also stores the subject of an event.
    let outcomes: readonly string[] = [];
    for (let sent = 0; sent < 20 && !outcomes.includes('429'); sent += 1) outcomes = await outcomesOf([another.send('')]);
    expect(outcomes).toEqual(['429']);
    readAll(bus);
    for (const one of [mine, third]) {
      await until(() => one.send(text).then(() => true, () => false), { within: 20_000, what: 'one more is stored' });
    }
  });

  it('take turns by organization', async () => {
    const arrived: number[] = [];
    await take(plenty, true, ({ ownerId }) => void arrived.push(ownerId));
    // The spec answers in place of the stream, so that it can delay the answers to one organization.
    const { streams } = await manager();
    await streams.update('events-s0', { subjects: ['elsewhere'] });
    const [storing, flood, calm] = [await raw(server.access.credentials), await raw(await credentialsOf(acme)), await connectAs(other)];
    opened.defer(async () => void await Promise.all([storing.close(), flood.close()]));
    const answer = (message: Msg) => message.respond(JSON.stringify({
      stream: 'events-s0', seq: 1, count: Number(message.headers?.get('Nats-Batch-Sequence')),
    }));
    let hold = true;
    const held: Msg[] = [];
    const subjects: string[] = [];
    storing.subscribe(shardSubject(0), {
      callback: (_error, message) => {
        subjects.push(message.subject);
        // Only the last message of a batch has an answer.
        if (message.reply === undefined) return;
        if (hold) held.push(message);
        else answer(message);
      },
    });
    await storing.flush();
    const flooding = Array.from({ length: 400 }, () => flood.request(eventSubject(acme, 1), '{}', { timeout: 20_000 }));
    await until(() => arrived.length === 400 && held.length === 1, { what: 'the flood is being stored' });
    const calmed = calm.send('{}');
    await until(() => arrived.includes(other.ownerId), { what: 'the other event has arrived' });
    hold = false;
    held.forEach(answer);
    await Promise.all([...flooding, calmed]);
    // At most 100 events of an organization are being stored. Its other events wait for their turn.
    expect(subjects.indexOf(eventSubject(other, 1))).toBe(100);
  });

  it('that arrive together are stored together, each with its own sequence number', async () => {
    await take(plenty);
    const members = [acme, other];
    const senders = await Promise.all(members.map(async (member) => raw(await credentialsOf(member))));
    opened.defer(async () => void await Promise.all(senders.map((sender) => sender.close())));
    const places = await Promise.all(Array.from({ length: 300 }, async (_, number) => {
      const answer = await senders[number % 2]!.request(eventSubject(members[number % 2]!, 1), `event ${number}`, { timeout: 20_000 });
      return answer.json<{ stream: string; seq: number }>();
    }));
    const { streams } = await manager();
    const kept = await Promise.all(places.map(({ stream, seq }) => streams.getMessage(stream, { seq })));
    expect(kept.map((message) => [message?.subject, message?.string()]))
      .toEqual(places.map((_, number) => [eventSubject(members[number % 2]!, 1), `event ${number}`]));
    const ids = kept.map((message) => message!.header.get('Nats-Batch-Id')).filter((id) => id !== '');
    expect(ids.length).toBeGreaterThan(200);
    expect(new Set(ids).size).toBeLessThan(30);
    await until(() => stored.length === 300, { what: 'all are read' });
  });

  it('are stored although they are too large for a batch', async () => {
    await take(plenty);
    const mine = await connectAs(acme);
    const texts = Array.from({ length: 30 }, (_, number) => 'x'.repeat(number % 3 === 0 ? 500_000 : 60_000));
    expect(new Set(await outcomesOf(texts.map((text) => mine.send(text))))).toEqual(new Set(['stored']));
    await until(() => stored.length === texts.length, { what: 'all are read' });
    expect(stored.map((one) => one.data.length).toSorted()).toEqual(texts.map(({ length }) => length).toSorted());
  });

  it('of a batch that the stream refuses are all refused with a reason, and not stored', async () => {
    await take(plenty, false);
    const { streams } = await manager();
    await streams.update('events-s0', { max_msgs: 20, discard: 'new' });
    const mine = await connectAs(acme);
    const outcomes = await outcomesOf(Array.from({ length: 50 }, () => mine.send('{}')));
    expect(new Set(outcomes)).toEqual(new Set(['stored', '503']));
    const { state: { messages } } = await streams.info('events-s0');
    expect(messages).toBe(outcomes.filter((one) => one === 'stored').length);
  });

  it('are stored one by one if the stream does not permit batches', async () => {
    await take(plenty);
    const { streams } = await manager();
    await streams.update('events-s0', { allow_atomic: false });
    const mine = await connectAs(acme);
    const texts = Array.from({ length: 50 }, (_, number) => String(number));
    expect(new Set(await outcomesOf(texts.map((text) => mine.send(text))))).toEqual(new Set(['stored']));
    await until(() => stored.length === texts.length, { what: 'all are read' });
    expect(new Set(stored.map(textOf))).toEqual(new Set(texts));
  });

  it('are refused with a reason while they cannot be stored', async () => {
    await take(plenty);
    const mine = await connectAs(acme);
    await mine.send('{}');
    const { streams } = await manager();
    await streams.update('events-s0', { subjects: ['elsewhere'] });
    expect(await outcomesOf([mine.send('{}')])).toEqual(['503']);
  });
});

it('a refusal holds a second for all events of its subject, with its reason, and for no other subject', async () => {
  const reader = await raw(server.access.credentials);
  opened.defer(() => reader.close());
  const [mine, others] = await Promise.all(['a', 'b'].map((name) => `refusals.${name}`).map(async (subject) => {
    const asked = Promise.withResolvers<Msg>();
    reader.subscribe(subject, { max: 1, callback: (_error, message) => asked.resolve(message) });
    const answer = reader.request(subject, '', { timeout: 5_000 });
    return { message: await asked.promise, answer };
  })) as [{ message: Msg; answer: Promise<Msg> }, { message: Msg; answer: Promise<Msg> }];
  let now = 0;
  const refuser = createRefuser({ log: silentLogger, metrics: createMetrics({ service: 'spec', defaults: false }) }, () => now);
  expect(refuser.refuseAgain(mine.message)).toBe(false);
  refuser.refuse(mine.message, { kind: 'rate', code: 429, reason: 'too many', retrySeconds: 7 });
  await expect(mine.answer).rejects.toMatchObject({ cause: { name: 'NoResponders' } });
  now = 999;
  expect([mine, others].map(({ message }) => refuser.refuseAgain(message))).toEqual([true, false]);
  refuser.fail(others.message, { kind: 'store', code: 503, reason: 'not stored' });
  expect(refuser.refuseAgain(others.message)).toBe(false);
  await expect(others.answer).rejects.toMatchObject({ cause: { name: 'NoResponders' } });
  now = 1_000;
  expect(refuser.refuseAgain(mine.message)).toBe(false);
});

it.each([
  ['subject', { subject: 'events.*.user.*.k8s.*.product.*' }],
  ['name', { name: 'of an older version' }],
])('an account that offers an older %s offers what this version does, and that alone', async (_, older) => {
  const { operatorSeed } = server.access;
  const { publicKey } = createAccountKeys();
  const [events, ...rest] = platformExports;
  const foreign = { kind: 'stream', name: 'of others', subject: 'others.>', activated: false } as const;
  const old = await signAccount(operatorSeed, publicKey, {
    name: 'platform', jetstream: true, exports: [{ ...events!, ...older }, ...rest, foreign],
  });
  const now = (await addExports(operatorSeed, publicKey, old, platformExports))!;
  expect(readAccount(now).exports.toSorted()).toEqual([...platformExports, foreign].map(({ subject }) => subject).toSorted());
  expect(await addExports(operatorSeed, publicKey, now, platformExports)).toBeUndefined();
});
