import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { arrivalSubject, type BusConnection, connectBus, type Member } from '@platform/bus';
import { sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { as, ownBus, type OwnBus, until } from '@platform/testing';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import { eventJson, type SpecEvent, subjectOf } from '../fixtures/events.ts';
import { dropOldParkedEvents } from './parked-events.ts';

const shards = 2;

let bus: OwnBus;
let billing: Billing;
let sender: BusConnection;
beforeAll(async () => {
  bus = await ownBus();
  const { url, credentials } = bus.access;
  billing = await startBilling(
    { 'nats.url': url, 'nats.credentials': credentials, 'bus.shards': String(shards) },
    { replicas: 2, ownProcess: 'killed' },
  );
  sender = await connectBus({ url, credentials }, 5_000);
  for (const ownerId of [1, 2]) {
    await until(() => sender.request(subjectOf(ownerId, randomUUID(), 'probe', shards), '{', 1_000).then(() => true), {
      within: 20_000, what: 'the stream is there',
    });
  }
}, 60_000);
afterAll(async () => {
  await sender?.[Symbol.asyncDispose]();
  await billing?.[Symbol.asyncDispose]();
});

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const dayMs = 86_400_000;
/** A time of yesterday, in minutes after 12:00 UTC. No month ends in the next hours, so usage is not split by month. */
const yesterday = (minutes: number) =>
  new Date(Math.floor(Date.now() / dayMs) * dayMs - dayMs / 2 + minutes * 60_000).toISOString();

interface StoredVersion {
  readonly version: number;
  readonly type: string;
  readonly at: Date;
  readonly receivedAt: Date;
  readonly metered: boolean;
}

/** A member that publishes events as agents do. `send` resolves when the bus has acknowledged the event. */
function member(ownerId = 7, productName = 'productdb-enterprise') {
  const clusterUid = randomUUID();
  const subject = subjectOf(ownerId, clusterUid, productName, shards);
  const sendText = (text: string) => sender.request(subject, text, 5_000);
  return {
    clusterUid,
    sendText,
    send: (event: SpecEvent) => sendText(JSON.stringify(eventJson(productName, event))),
    /** Number of redelivered messages of the shard. */
    repeats: async () => {
      const { text } = await sender.request(`$JS.API.CONSUMER.INFO.events-s${ownerId % shards}.billing-dashboard`, '', 5_000);
      const { delivered } = JSON.parse(text) as { delivered: { consumer_seq: number; stream_seq: number } };
      return delivered.consumer_seq - delivered.stream_seq;
    },
    versions: () => billing.rows.query(sql<StoredVersion>`
      select version, type, at, received_at as "receivedAt", metered_id is not null as "metered"
        from object_version join reported_object on id = object_id
       where cluster_uid = ${clusterUid}::uuid order by subject, version`),
    parked: async () => {
      const { events } = await billing.admin.listParkedEvents({ page: 0, limit: 0 }, as(undefined));
      return events.filter((event) => event.subject === subject);
    },
  };
}

describe('events from the bus', () => {
  it('are counted once, in any order and number', async () => {
    const { send, versions, clusterUid } = member();
    const [time, later] = [yesterday(0), yesterday(30)];
    for (const event of [
      { uid: 'a', generation: 2, action: 'updated', time: later, cpu: '1' }, { uid: 'a', time }, { uid: 'a', time },
      { uid: 'a', generation: 2, action: 'updated', time: later, cpu: '1' }, { uid: 'a', time },
    ] as const) await send(event);
    const found = await until(async () => {
      const all = await versions();
      return all.length === 2 && all;
    }, { within: 20_000, what: 'both are stored' });
    expect(found.map(({ at }) => at.toISOString()).toSorted()).toEqual([time, later]);
    await billing.renewed();
    const segments = await billing.rows.query(sql<{ seconds: string; cpu: string; class: string }>`
      select ((to_us - from_us) / 1000000)::text as "seconds", segment.cpu, class
        from usage_segment segment join metered_object object on object.id = metered_id
       where cluster_uid = ${clusterUid}::uuid order by from_us`);
    expect(segments).toEqual([
      { seconds: '1800', cpu: '500000000', class: 'none' }, { seconds: '7200', cpu: '1000000000', class: 'none' },
    ]);
  });

  it('with other data under the same id are a new version', async () => {
    const { send, versions } = member();
    const time = ago(600);
    await send({ uid: 'b', time });
    await send({ uid: 'b', time, cpu: '2' });
    await until(async () => (await versions()).length === 2, { within: 20_000, what: 'both are stored' });
  });

  it.each([['absent', {}], ['null', { time: null }]])('whose time is %s have that of their arrival', async (_, time) => {
    const { sendText, versions } = member();
    await sendText(JSON.stringify({ ...eventJson('productdb-enterprise', { uid: 'k' }), ...time }));
    const [version] = await until(async () => {
      const all = await versions();
      return all.length === 1 && all;
    }, { within: 20_000, what: 'it is stored' });
    expect(version!.at).toEqual(version!.receivedAt);
  });

  it('of products that are not metered are stored', async () => {
    const { send, versions } = member(7, 'scanner');
    await send({ uid: 'c' });
    const [version] = await until(async () => {
      const all = await versions();
      return all.length === 1 && all;
    }, { within: 20_000, what: 'it is stored' });
    expect(version).toMatchObject({ version: 1, metered: false });
  });

  it('too late or of the future are parked at once', async () => {
    const { send, versions, parked } = member();
    await send({ uid: 'd', time: ago(36 * 86_400) });
    await send({ uid: 'd', generation: 2, time: ago(-900) });
    await send({ uid: 'd', generation: 3, time: ago(34 * 86_400) });
    await send({ uid: 'd', generation: 4, time: ago(-300) });
    await until(async () => (await parked()).length === 2, { within: 20_000, what: 'two are parked' });
    expect((await parked()).map(({ reason }) => reason).toSorted()).toEqual(['future', 'late']);
    await until(async () => (await versions()).length === 2, { within: 20_000, what: 'two are stored' });
  });

  it('that are malformed are parked at the first look, and hold up no other', async () => {
    const { send, sendText, versions, parked, repeats } = member();
    const before = await repeats();
    const good = eventJson('productdb', { uid: 'e' });
    const bad: readonly unknown[] = [
      'nothing', [], { ...good, source: '/elsewhere' }, { ...good, type: 'dev.platform.created.v2' },
      { ...good, time: '2026-02-30T00:00:00Z' }, { ...good, time: '2026-11-16T24:00:00Z' },
      { ...good, subject: 'x'.repeat(513) }, { ...good, data: undefined },
      eventJson('productdb', { uid: 'e', cpu: 'many' }), eventJson('productdb', { uid: 'e', memory: '-1' }),
      { ...good, subject: 'with\u0000nul' },
      eventJson('productdb', { uid: 'e', name: 'x'.repeat(513) }),
      eventJson('productdb', { uid: 'e', namespace: 'x'.repeat(513) }),
    ];
    for (const event of bad) await sendText(JSON.stringify(event));
    await sendText('{');
    await sendText(`${'['.repeat(300_000)}`);
    await send({ uid: 'e' });
    await until(async () => (await versions()).length === 1, { within: 20_000, what: 'the good one is stored' });
    await until(async () => (await parked()).length === bad.length + 2, {
      within: 20_000, what: 'the others are parked',
    });
    expect(await repeats()).toBe(before);
    expect(new Set((await parked()).map(({ reason }) => reason))).toEqual(new Set(['malformed']));
    expect(await versions()).toHaveLength(1);
  }, 90_000);

  it('with a mode of any length count', async () => {
    const { send, versions, clusterUid } = member();
    await send({ uid: 'g', time: yesterday(0), mode: '\u{1f600}'.repeat(200_000) });
    await until(async () => (await versions()).length === 1, { within: 20_000, what: 'it is stored' });
    await billing.renewed();
    const segments = await billing.rows.query(sql<{ class: string; length: number }>`
      select class, length(segment.mode)::integer as "length"
        from usage_segment segment join metered_object object on object.id = metered_id
       where cluster_uid = ${clusterUid}::uuid`);
    expect(segments).toEqual([{ class: 'none', length: 50 }]);
  });

  it('that say whose they are count for the subject alone', async () => {
    const { sendText, versions } = member(8);
    const foreign = randomUUID();
    await sendText(JSON.stringify({
      ...eventJson('productbackup', { uid: 'f', spec: { cluster: { uid: foreign }, owner: 9 } }),
    }));
    await until(async () => (await versions()).length === 1, { within: 20_000, what: 'it is stored' });
    const owners = await billing.rows.query(sql<{ ownerId: number; product: string }>`
      select owner_id as "ownerId", product from metered_object where object_uid = 'f'`);
    expect(owners).toEqual([{ ownerId: 8, product: 'productdb' }]);
    expect(await billing.rows.query(sql`select from metered_object where cluster_uid = ${foreign}::uuid`)).toEqual([]);
  });
});

describe('the SiteInfo of a licence', () => {
  it('is the one that was sent last, in any order, also by a repeat', async () => {
    const { clusterUid, sendText, versions } = member(7, 'scanner');
    const info = (generation: number, time: string) => {
      const event = eventJson('scanner', { uid: 'site', generation, time });
      const resourceID = { group: '', version: 'v1', name: 'siteinfos', kind: 'SiteInfo', scope: 'Cluster' };
      return JSON.stringify({ ...event, data: {
        ...event.data, resourceID, resource: { kind: 'SiteInfo', metadata: { name: `site-${generation}` } },
      } });
    };
    const latest = async (name: string) => {
      const [row] = await billing.rows.query(sql<{ name: string }>`
        select resource #>> '{metadata,name}' as "name" from site_info where cluster_uid = ${clusterUid}::uuid`);
      return row?.name === name;
    };
    await sendText(info(2, ago(1_800)));
    await until(() => latest('site-2'), { within: 20_000, what: 'it is kept' });
    await sendText(info(1, ago(3_600)));
    await until(async () => (await versions()).length === 2, { within: 20_000, what: 'both are stored' });
    expect(await latest('site-2')).toBe(true);
    await sendText(info(1, ago(600)));
    await until(() => latest('site-1'), { within: 20_000, what: 'it is as it was before' });
  });
});

describe('replicas', () => {
  it('share the events of all shards; when one is killed, the others go on with them', async () => {
    const members = [member(7), member(8)];
    const publish = (generation: number) => Promise.all(members.flatMap(({ send }) =>
      Array.from({ length: 20 }, (_, place) => send({ uid: `object-${place}`, generation }))));
    const counted = (count: number) => until(async () => {
      const all = await Promise.all(members.map(({ versions }) => versions()));
      return all.every(({ length }) => length === count);
    }, { within: 60_000, what: `${count} are counted` });
    await publish(1);
    await counted(20);
    await billing.service.replicas[1]!.kill();
    await publish(2);
    await counted(40);
  }, 90_000);
});

describe('quotas of events', () => {
  it('refuse a member at the intake, show in readiness, and take it again once there is room', async () => {
    const [full, other] = [71, 72].map((ownerId): Member => ({
      ownerId, clusterUid: randomUUID(), productName: 'scanner',
    })) as [Member, Member];
    const send = ({ ownerId, clusterUid, productName }: Member) => sender.sendEvent(
      arrivalSubject({ ownerId, clusterUid, productName }),
      JSON.stringify(eventJson(productName, { uid: randomUUID() })), 5_000,
    );
    const isTaken = (of: Member) => until(() => send(of).then(() => true, () => false), {
      within: 30_000, what: 'an event is taken',
    });
    const quotas = async () => {
      const { checks } = await (await fetch(`http://${billing.service.addresses['admin']}/readyz`)).json() as {
        checks: readonly { name: string; ok: boolean }[];
      };
      return checks.find(({ name }) => name === 'quotas of events')!.ok;
    };
    await isTaken(full);
    await billing.rows.execute(sql`
      insert into kept_events (owner_id, cluster_uid, product_name, kind, month, events, bytes)
      values (71, ${full.clusterUid}, ${full.productName}, 'raw', '2026-01-01', 1, 1e12)`);
    const refused = await until(() => send(full).then(() => undefined, (error: unknown) => error), {
      within: 30_000, what: 'it is refused',
    });
    expect(refused).toMatchObject({ name: 'EventRefused', code: 429, retryMs: 60_000 });
    await send(other);
    await until(async () => !(await quotas()), { within: 30_000, what: 'readiness mentions it' });
    await billing.rows.execute(sql`delete from kept_events where owner_id = 71 and month = '2026-01-01'`);
    await isTaken(full);
    await until(quotas, { within: 30_000, what: 'readiness mentions it no more' });
  }, 120_000);
});

describe('parked events', () => {
  it('are judged again on demand, and stay parked unless they count now', async () => {
    const { send, parked, versions } = member();
    await send({ uid: 'g', time: ago(36 * 86_400) });
    const [late] = await until(async () => {
      const all = await parked();
      return all.length === 1 && all;
    }, { within: 20_000, what: 'it is parked' });
    const replay = () => billing.admin.replayParkedEvents({ ids: [late!.id] }, as(undefined));
    expect(await replay()).toEqual({ accepted: 0, refused: 1 });
    await billing.rows.execute(sql`
      update parked_event set received_at = received_at - interval '2 days' where id = ${late!.id}`);
    expect(await replay()).toEqual({ accepted: 1, refused: 0 });
    expect(await replay()).toEqual({ accepted: 0, refused: 0 });
    expect(await parked()).toEqual([]);
    expect(await versions()).toHaveLength(1);
  });

  it('are kept for six months', async () => {
    const { send, parked } = member();
    await send({ uid: 'i', time: ago(36 * 86_400) });
    await send({ uid: 'j', time: ago(37 * 86_400) });
    const [one] = await until(async () => {
      const all = await parked();
      return all.length === 2 && all;
    }, { within: 20_000, what: 'both are parked' });
    await billing.rows.execute(sql`
      update parked_event set received_at = received_at - interval '6 months' where id = ${one!.id}`);
    expect(await dropOldParkedEvents(billing.rows, deadlineIn(10_000))).toBe(1);
    expect((await parked()).map(({ id }) => id)).not.toContain(one!.id);
    expect(await parked()).toHaveLength(1);
  });

  it('that were of the future count once their time has come', async () => {
    const { send, parked, versions } = member();
    const time = ago(-605);
    await send({ uid: 'h', time });
    const [future] = await until(async () => {
      const all = await parked();
      return all.length === 1 && all;
    }, { within: 20_000, what: 'it is parked' });
    const replay = () => billing.admin.replayParkedEvents({ ids: [future!.id] }, as(undefined));
    await until(async () => (await replay()).accepted === 1, { within: 40_000, what: 'it is of the future no more' });
    expect((await versions()).map(({ at }) => at.toISOString())).toEqual([time]);
  }, 60_000);
});
