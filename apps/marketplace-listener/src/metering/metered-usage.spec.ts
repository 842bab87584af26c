import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { holding, shareOf } from '@platform/testing';
import { jobWithin, type MeteredWorld, startMeteredWorld } from '../fixtures/metered-world.ts';
import { deleteOldRows } from '../retention.ts';
import { fetchGroup } from '../subscriptions/fetch-group.ts';
import { noteContractsRevoked } from '../subscriptions/store.ts';
import { closeHours } from './close-hours.ts';
import * as proof from './metered-usage.proof.ts';
import * as killsProof from './metered-usage-kills.proof.ts';
import { reportBucket } from './report-bucket.ts';
import { resendExpired } from './resend-reports.ts';

let world: MeteredWorld;
beforeAll(async () => {
  world = await startMeteredWorld();
}, 60_000);
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
});

const begin = Date.UTC(2026, 10, 3);
const after = (hours: number) => new Date(begin + hours * 3_600_000);
/** Ten cores during the whole subscription. */
const tenCores = (subscribedAt: Date) => ({
  sumUseOfContracts: async ({ until }: { until: number }) => ({ uses: [{
    product: 'productdb', month: '2026-11', memory: '0',
    cpu: (BigInt(until * 1000 - subscribedAt.getTime()) * 1_000n * 10_000_000_000n).toString(),
  }] }),
});
const bucketsOf = (subscriptionId: number) => world.rows.query(sql<{ id: string; hour: Date; quantity: number; state: string }>`
  select id, hour, quantity, state from usage_bucket where subscription_id = ${subscriptionId} order by hour`);

async function close(at: Date): Promise<void> {
  await closeHours({ database: world.rows, usage: tenCores(after(0)) }, at, jobWithin(20_000));
}

it('is reported once, and none is missing (a share of the proof metered-usage)', async () => {
  expect(await shareOf(proof, 0.01)).toEqual(holding);
}, 120_000);

it('is reported once while services are killed (a share of the proof metered-usage-kills)', async () => {
  expect(await shareOf(killsProof, 0.01)).toEqual(holding);
}, 180_000);

it('closes an hour ten minutes after its end', async () => {
  const id = await world.subscribe('ProviderC', 101, after(0));
  await close(new Date(after(1).getTime() + 599_000));
  expect(await bucketsOf(id)).toEqual([]);
  await close(new Date(after(1).getTime() + 600_000));
  expect(await bucketsOf(id)).toEqual([expect.objectContaining({ hour: after(0), quantity: 600, state: 'waiting' })]);
  await world.rows.execute(sql`update subscription set contract_ids = '{}' where id = ${id}`);
});

it('puts hours of a long outage into the first bucket that the provider still takes', async () => {
  const id = await world.subscribe('ProviderA', 102, after(0));
  await close(after(30.5));
  expect((await bucketsOf(id)).map(({ hour, quantity }) => [hour, quantity]))
    .toEqual([[after(26), 27 * 600], [after(27), 600], [after(28), 600], [after(29), 600]]);
  await world.rows.execute(sql`update subscription set contract_ids = '{}' where id = ${id}`);
});

/** A fake of the sums: core-minutes by month, as known at the moment. */
const monthly = (known: ReadonlyMap<string, number>) => ({
  sumUseOfContracts: async ({ fromMonth }: { fromMonth: string }) => ({
    uses: [...known].filter(([month]) => month >= fromMonth).map(([month, minutes]) => (
      { product: 'productdb', month, memory: '0', cpu: (BigInt(minutes) * 60_000_000_000_000_000n).toString() }
    )),
  }),
});
/** Closes the hours of a subscription up to a time; returns the quantities of its buckets in the order of closing. */
async function quantitiesOf(id: number, known: ReadonlyMap<string, number>, at: Date): Promise<number[]> {
  await closeHours({ database: world.rows, usage: monthly(known) }, at, jobWithin(20_000));
  return (await bucketsOf(id)).map(({ quantity }) => quantity);
}

it('bills late use of a subscription until 35 days after its contracts were revoked (open-points 7.3)', async () => {
  const id = await world.subscribe('ProviderC', 106, after(0));
  expect(await quantitiesOf(id, new Map([['2026-11', 5]]), after(15))).toEqual([5]);
  await world.rows.execute(sql`update subscription set contracts = 'revocation_due' where id = ${id}`);
  await noteContractsRevoked(world.rows, id, [106]);
  await world.rows.execute(sql`
    update subscription set updated_at = ${after(14.3)}, revoked_at = ${after(14.3)} where id = ${id}`);
  expect(await quantitiesOf(id, new Map([['2026-11', 5]]), after(18))).toEqual([5]);
  expect(await quantitiesOf(id, new Map([['2026-11', 12]]), after(19.5))).toEqual([5, 7]);
  expect(await quantitiesOf(id, new Map([['2026-11', 13]]), after(35 * 24 + 15.5))).toEqual([5, 7, 1]);
  expect(await quantitiesOf(id, new Map([['2026-11', 99]]), after(35 * 24 + 17))).toEqual([5, 7, 1]);
});

it('bills what has changed in any month, also after an outage (open-points 7.3)', async () => {
  const id = await world.subscribe('ProviderB', 107, new Date('2026-10-20T08:20:00Z'));
  const known = new Map([['2026-10', 40], ['2026-11', 2]]);
  const before = await quantitiesOf(id, known, new Date('2026-12-05T23:15:00Z'));
  // An event of October 31, 23:30 arrives less than 35 days late, and counts in the next hour.
  known.set('2026-10', 43);
  expect(await quantitiesOf(id, known, new Date('2026-12-06T00:15:00Z'))).toEqual([...before, 3]);
  // After ten days without a run, with a cluster that was bound late.
  known.set('2026-10', 44);
  expect(await quantitiesOf(id, known, new Date('2026-12-16T00:15:00Z'))).toEqual([...before, 3, 1]);
  await world.rows.execute(sql`update subscription set contract_ids = '{}' where id = ${id}`);
});

it('asks for the resource group of an application until it is known, has gone, or has ended', async () => {
  const id = await world.subscribe('ProviderB', 108, after(0));
  const { database, providers } = world.parts;
  const fetch = () => fetchGroup({ database, applications: providers.b }, id, jobWithin(5_000));
  const { b } = world.fakes;
  // The provider does not know the application.
  await fetch();
  b.trouble(() => 500);
  await expect(fetch()).rejects.toThrow();
  await world.rows.execute(sql`update subscription set state = 'Revoked', contract_ids = '{}' where id = ${id}`);
  await fetch();
  b.trouble(() => undefined);
});

it('alerts once after three hours, and gives up when the provider takes the report no more', async () => {
  const id = await world.subscribe('ProviderA', 103, after(0));
  world.onTheWay = () => 500;
  await close(after(2.5));
  const [first, second] = await bucketsOf(id);
  const attempt = (bucket: { id: string }, at: Date) =>
    reportBucket(world.parts, bucket.id, at, jobWithin(5_000)).then(() => 'done', () => 'again');
  const alerts = () => world.rows.one(sql<{ alerts: number; mails: number }>`
    select alerts, (
             select count(*)::integer from marketplace_audit where subscription_id = ${id} and operation_type = 'alert'
           ) as "mails"
      from subscription where id = ${id}`);
  expect(await attempt(first!, after(5.4))).toBe('again');
  expect(await alerts()).toEqual({ alerts: 0, mails: 0 });
  for (const bucket of [first!, second!, first!]) expect(await attempt(bucket, after(5.6))).toBe('again');
  expect(await alerts()).toEqual({ alerts: 1, mails: 1 });
  expect(await attempt(first!, after(6.1))).toBe('done');
  world.onTheWay = () => undefined;
  expect(await attempt(second!, after(6.2))).toBe('done');
  expect(await attempt(first!, after(6.3))).toBe('done');
  expect((await bucketsOf(id)).map(({ state }) => state)).toEqual(['expired', 'accepted']);
  const audited = () => world.rows.query(sql<{ status: string; report: string }>`
    select status, data ->> 'id' as "report" from marketplace_audit
     where subscription_id = ${id} and operation_type = 'report-usage' order by id`);
  expect((await audited()).map(({ status }) => status)).toEqual(['failure', 'success']);
  // The operator resends it once: the next hour contains its quantity in addition to its own usage.
  const resend = (...ids: string[]) => world.rows.transact((transaction) => resendExpired(transaction, ids));
  expect(await resend(second!.id)).toEqual([]);
  expect(await resend()).toEqual([{
    id: first!.id, subscriptionId: id, dimension: 'productdb_cpu_core_minutes', hour: after(0), quantity: 600,
  }]);
  expect(await resend(first!.id)).toEqual([]);
  expect((await audited()).slice(2)).toEqual([{ status: 'success', report: first!.id }]);
  await close(after(3.5));
  await close(after(4.5));
  expect((await bucketsOf(id)).map(({ state, quantity }) => [state, quantity]))
    .toEqual([['resent', 600], ['accepted', 600], ['waiting', 1_200], ['waiting', 600]]);
  const { state } = await world.rows.one(sql<{ state: string }>`select state from subscription where id = ${id}`);
  expect(state).toBe('Running');
});

it('is deleted by age (open-points 13.3), and the next bucket continues the sum', async () => {
  const id = await world.subscribe('ProviderC', 104, after(0));
  await close(after(4.5));
  const [first, second, third, last] = await bucketsOf(id);
  for (const { id: bucket } of [first!, second!, last!]) await reportBucket(world.parts, bucket, after(5), jobWithin(5_000));
  const { rows } = world;
  const age = async (bucket: { id: string } | undefined, days: number) => rows.execute(sql`
    update usage_bucket set closed_at = now() - ${days} * interval '1 day' where id = ${bucket!.id}`);
  await age(first, 91);
  await age(second, 89);
  await age(third, 91);
  await age(last, 91);
  const ages = sql`values (interval '24 months' + interval '1 day'), (interval '24 months' - interval '1 day')`;
  await rows.execute(sql`
    insert into marketplace_audit (subscription_id, at, status, operation_type, description)
    select ${id}, now() - age, 'success', 'put', age::text from (${ages}) as given (age)`);
  await rows.execute(sql`
    insert into notification (digest, subscription_id, answered, received_at)
    select sha256(age::text::bytea), ${id}, true, now() - age from (${ages}) as given (age)`);
  await rows.execute(sql`
    insert into archive (subscription_id, random, expires_at)
    select ${id}, age::text, now() - age from (${ages}) as given (age)`);
  await deleteOldRows(rows, deadlineIn(10_000));
  // The second bucket is too young, the third was not reported, and the last contains the sum.
  expect((await bucketsOf(id)).map((bucket) => bucket.id)).toEqual([second!.id, third!.id, last!.id]);
  expect(await rows.one(sql`
    select (select count(*)::integer from marketplace_audit where subscription_id = ${id} and operation_type = 'put')
             as "entries",
           (select count(*)::integer from notification where subscription_id = ${id}) as "notifications",
           (select count(*)::integer from archive where subscription_id = ${id}) as "archives"`))
    .toEqual({ entries: 1, notifications: 1, archives: 1 });
  await close(after(5.5));
  expect((await bucketsOf(id)).at(-1)).toMatchObject({ hour: after(4), quantity: 600 });
  await rows.execute(sql`update subscription set contract_ids = '{}' where id = ${id}`);
});
