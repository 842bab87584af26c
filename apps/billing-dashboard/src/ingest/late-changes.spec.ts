import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { as } from '@platform/testing';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import { type SpecEvent, subjectOf } from '../fixtures/events.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling();
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

const hourMs = 3_600_000;
const [ownerId, product] = [71, 'productdb-enterprise'];
const firstMs = Date.now() - 20 * 24 * hourMs;
const hoursAfter = (hours: number) => new Date(firstMs + hours * hourMs);

/** An object with 64 cores, with an event each hour for 250 hours, as received from the bus. */
async function provenObject() {
  const clusterUid = randomUUID();
  const seen = (hours: number, more: Partial<SpecEvent> = {}) =>
    ({ event: { uid: 'db', cpu: 64, time: hoursAfter(hours).toISOString(), ...more }, storedAt: hoursAfter(hours) });
  const take = (events: readonly { event: SpecEvent; storedAt: Date }[]) =>
    billing.take(ownerId, clusterUid, product, events);
  await take(Array.from({ length: 251 }, (_, hour) => seen(hour)));
  const segments = () => billing.rows.query(sql<{ from: number; to: number; cpu: number }>`
    select (from_us / 1000 - ${firstMs}::bigint) / ${hourMs}::float8 as "from",
           (to_us / 1000 - ${firstMs}::bigint) / ${hourMs}::float8 as "to", (cpu / 1000000)::float8 as "cpu"
      from usage_segment segment join metered_object object on object.id = metered_id
     where cluster_uid = ${clusterUid}::uuid order by from_us`);
  return {
    clusterUid,
    seen,
    take,
    /** Ingests an event with a time and an arrival time; both in hours. */
    arrive: (at: number, arrival: number, event: Partial<SpecEvent>) => take([
      { event: { uid: 'db', generation: 2, cpu: 64, time: hoursAfter(at).toISOString(), ...event },
        storedAt: hoursAfter(arrival) },
    ]),
    /** The used thousandths of a core by range of hours; segments are joined across months. */
    used: async () => {
      await billing.renewed();
      const joined: { from: number; to: number; cpu: number }[] = [];
      for (const next of await segments()) {
        const last = joined.at(-1);
        if (last?.to === next.from && last.cpu === next.cpu) last.to = next.to;
        else joined.push({ ...next });
      }
      return joined.map(({ from, to, cpu }) => [from, to, cpu]);
    },
    renewAll: async () => {
      await billing.rows.execute(sql`
        update metered_object set due_from = '-infinity', due_since = now() where cluster_uid = ${clusterUid}::uuid`);
      await billing.renewed();
    },
    parked: async () => {
      const { events } = await billing.admin.listParkedEvents({ page: 0, limit: 0 }, as(undefined));
      return events.filter((event) => event.subject === subjectOf(ownerId, clusterUid, product));
    },
    audited: () => billing.rows.query(sql<{ action: string; organizationId: number; details: unknown }>`
      select action, organization_id as "organizationId", details from audit
       where object = (select 'metered_object:' || id from metered_object where cluster_uid = ${clusterUid}::uuid)`),
  };
}

describe('what events that came in time have proven', () => {
  it('is not taken back by a deletion that comes later than 48 h, which is shown to the operator', async () => {
    const { arrive, used, renewAll, parked, audited } = await provenObject();
    await arrive(0, 250.5, { action: 'deleted' });
    expect(await used()).toEqual([[0, 250, 64_000]]);
    expect((await parked()).map(({ reason }) => reason)).toEqual(['late_change']);
    expect(await audited()).toEqual([{
      action: 'usage.late_change', organizationId: ownerId,
      details: { events: 1, earliest: hoursAfter(0).toISOString(), provenUntil: hoursAfter(250).toISOString() },
    }]);
    expect(await billing.measured()).toMatch(/^member_late_changes_total\S* [1-9]/m);
    await renewAll();
    expect(await used()).toEqual([[0, 250, 64_000]]);
  });

  it('ends with a deletion that comes within 48 h', async () => {
    const { arrive, used, parked, audited } = await provenObject();
    await arrive(203, 251, { action: 'deleted' });
    expect(await used()).toEqual([[0, 203, 64_000]]);
    expect([await parked(), await audited()]).toEqual([[], []]);
  });

  it('is not lowered by an event of its first moment; what that says counts from the moment that is proven', async () => {
    const { arrive, used, seen, take, parked } = await provenObject();
    await arrive(0, 250.5, { action: 'updated', cpu: '1m' });
    expect(await used()).toEqual([[0, 250, 64_000], [250, 252, 1]]);
    expect(await parked()).toHaveLength(1);
    await take([seen(251, { generation: 2, action: 'updated', cpu: '1m' })]);
    expect(await used()).toEqual([[0, 250, 64_000], [250, 253, 1]]);
  });

  it('is not lowered by the same event with an earlier time', async () => {
    const { arrive, used, seen, take, parked } = await provenObject();
    await take([seen(251, { generation: 2, action: 'updated', cpu: '1m' })]);
    await arrive(0, 251.5, { action: 'updated', cpu: '1m' });
    expect(await used()).toEqual([[0, 251, 64_000], [251, 253, 1]]);
    expect(await parked()).toHaveLength(1);
  });

  it('is raised for two hours by an event that says more, and goes on behind it', async () => {
    const { arrive, used, renewAll, parked } = await provenObject();
    await arrive(100, 250.5, { action: 'updated', cpu: 65 });
    const raised = [[0, 100, 64_000], [100, 102, 65_000], [102, 250, 64_000], [250, 252, 65_000]];
    expect(await used()).toEqual(raised);
    expect(await parked()).toEqual([]);
    await renewAll();
    expect(await used()).toEqual(raised);
  });

  it('is not lowered by what was overtaken: a later event is known', async () => {
    const { arrive, used, seen, take } = await provenObject();
    await take([seen(251, { generation: 3, action: 'updated', cpu: 32 })]);
    await arrive(100, 251.5, { action: 'deleted' });
    expect(await used()).toEqual([[0, 251, 64_000], [251, 253, 32_000]]);
    await take([seen(252, { generation: 3, action: 'updated', cpu: 32 })]);
    expect(await used()).toEqual([[0, 251, 64_000], [251, 254, 32_000]]);
  });

  it('counts from a copy in time on, although a belated one came first', async () => {
    const { arrive, used, seen, take } = await provenObject();
    await take([seen(251, { generation: 3, action: 'updated', cpu: 32 })]);
    await arrive(100, 251.5, { action: 'updated', cpu: 16 });
    await take([seen(252, { generation: 2, action: 'updated', cpu: 16 })]);
    expect(await used()).toEqual([[0, 251, 64_000], [251, 252, 32_000], [252, 254, 16_000]]);
  });

  it('is what a member reports that was cut off for days: nothing was proven meanwhile', async () => {
    const { used, seen, take, parked } = await provenObject();
    const storedAt = hoursAfter(350);
    await take([
      ...Array.from({ length: 30 }, (_, hour) => ({ ...seen(251 + hour), storedAt })),
      { ...seen(280.5, { generation: 2, action: 'deleted' }), storedAt },
    ]);
    expect(await used()).toEqual([[0, 280.5, 64_000]]);
    expect(await parked()).toEqual([]);
  });
});
