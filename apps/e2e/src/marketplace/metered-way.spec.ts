import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addJobs, runNow } from '@platform/jobs';
import { connect, type Database, sql } from '@platform/postgres';
import { type FakeProviderA, fakeProviderA, ownBus, type OwnBus, until } from '@platform/testing';
import { adminCommand } from '../operator-command.ts';
import { openMember } from '../usage/usage-world.ts';
import { short, startSubscriptionWorld, subscriptionHosts, type SubscriptionWorld } from './subscription-world.ts';

const hourMs = 3_600_000;
/** The last hour that may be closed now, and the one before (open-points 11.4). */
const lastEnd = Math.floor((Date.now() - 600_000) / hourMs) * hourMs;
const hours = [lastEnd - 2 * hourMs, lastEnd - hourMs] as const;

const stack = new AsyncDisposableStack();
let fake: FakeProviderA;
let bus: OwnBus;
let world: SubscriptionWorld;
let billing: Database;
/** Public id of the subscription whose usage is reported. */
let publicId: string;

beforeAll(async () => {
  [fake, bus] = [stack.use(await fakeProviderA()), await ownBus()];
  world = stack.use(await startSubscriptionWorld('A', {
    hosts: [...subscriptionHosts, 'billing-dashboard'], settings: { ...bus.settings, ...fake.settings },
  }));
  const { url, schema } = world.platform.databases['billing-dashboard'];
  billing = stack.use(connect({ url, schema, applicationName: 'spec', maxConnections: 1 }));
}, 120_000);
afterAll(() => stack.disposeAsync());

it("reports what a member's events say to the provider, through NATS, rollups and hour buckets (open-points 11.4)", async () => {
  const { contractRows, rows, siteAdmin, platform } = world;
  const acme = await world.organization(await world.person());
  const { installerId, subscriptionId } = await world.installer('ProviderA', {
    owner: acme.username, meteringUrl: platform.baseUrl, meteringToken: siteAdmin.token,
  });
  const member = await openMember(world, bus, acme, 'productdb-enterprise');
  stack.use(member.connection);
  publicId = subscriptionId!;
  const bindingInfo = { marketplace: 'ProviderA', installerId, clusterId: member.clusterUid };
  expect((await world.notifyA({ bindingInfo })).status).toBe(200);
  // Pretend that the subscription was bound four hours ago.
  await contractRows.execute(sql`update contract set starts_at = starts_at - interval '4 hours'`);

  // One core and 2 GiB for an hour and a half.
  const uid = randomUUID();
  const amounts = { uid, cpu: '1', memory: '2Gi', mode: 'prod' };
  const at = (hour: number) => new Date(hours[0] + hour * hourMs).toISOString();
  await member.send({ ...amounts, time: at(0) });
  await member.send({ ...amounts, time: at(1) });
  await member.send({ ...amounts, generation: 2, action: 'deleted', time: at(1.5) });
  await until(async () => {
    const { seconds } = await billing.one(sql<{ seconds: number }>`
      select coalesce(sum(to_us - from_us) / 1000000, 0)::integer as "seconds"
        from usage_segment where class = 'prod' and contract_id > 0`);
    return seconds === 1.5 * 3_600;
  }, { within: 60_000, what: 'the use is under the contract' });

  await rows.execute(sql`update subscription set bound_at = bound_at - interval '4 hours'`);
  await addJobs(rows, [runNow('close-usage-hours')]);
  await until(() => fake.counted.size >= 4, { within: 60_000, what: 'the provider has counted the reports' });
  const keyOf = (resource: string, hour: number) => `product-code-of-spec/productdb_${resource}_minutes/${hour / hourMs}`;
  const expected = {
    [keyOf('cpu_core', hours[0])]: 60, [keyOf('cpu_core', hours[1])]: 30,
    [keyOf('memory_gib', hours[0])]: 120, [keyOf('memory_gib', hours[1])]: 60,
  };
  expect(Object.fromEntries(fake.counted)).toEqual(expected);

  const shown = await until(async () => {
    const subscription = await world.subscription('ProviderA', subscriptionId!);
    return subscription['noOfBillingEventSent'] === 4 && subscription;
  }, { within: 20_000, what: 'the reports are noted' });
  expect(shown).toMatchObject({ state: 'Running', lastBillingEventSentAt: expect.any(String) });
  const audit = await world.audit('ProviderA', subscriptionId!);
  expect(short(audit)).toEqual(['subscribe success', 'bind success', ...Array.from({ length: 4 }, () => 'report-usage success')]);
  const audited = audit.flatMap(({ operationType, data }) => (operationType === 'report-usage'
    ? [[`product-code-of-spec/${data['dimension'] as string}/${Date.parse(data['hour'] as string) / hourMs}`, data['quantity']]]
    : []));
  expect(Object.fromEntries(audited)).toEqual(expected);
}, 120_000);

it('counts use again after the operator resends a report that was given up', async () => {
  const { rows, platform } = world;
  const resend = (...ids: string[]) => adminCommand(platform, ['metering', 'resend', ...ids]);
  const [first, second] = await rows.query(sql<{ id: string; subscriptionId: number; dimension: string; hour: Date; quantity: number }>`
    select id, subscription_id as "subscriptionId", dimension, hour, quantity from usage_bucket order by hour, dimension limit 2`);
  expect(await resend()).toMatchObject({ code: 0, answer: { reports: [] } });
  await rows.execute(sql`update usage_bucket set state = 'expired' where id = any(${[first!.id, second!.id]}::uuid[])`);
  const shown = ({ hour, ...report }: NonNullable<typeof first>) => ({ ...report, hour: hour.toISOString() });
  expect(await resend(first!.id)).toMatchObject({ code: 0, answer: { reports: [shown(first!)] } });
  // Without an id, the command resends all expired reports.
  expect(await resend()).toMatchObject({ code: 0, answer: { reports: [shown(second!)] } });
  expect(await rows.query(sql`select state from usage_bucket where id = any(${[first!.id, second!.id]}::uuid[])`))
    .toEqual([{ state: 'resent' }, { state: 'resent' }]);
  const resent = (await world.audit('ProviderA', publicId)).filter(({ data }) => data['id'] === first!.id);
  expect(short(resent)).toContain('report-usage success');
  const refused = await resend('no-uuid');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('ids[0]')]);
});

it('names the contracts of a subscription at their revocation, where the answer that named them was lost', async () => {
  const { rows } = world;
  const contracts = () => rows.one(sql<{ ids: number[] }>`
    select contract_ids as "ids" from subscription where public_id = ${publicId}`);
  const made = await contracts();
  await rows.execute(sql`update subscription set contracts = 'due', contract_ids = '{}' where public_id = ${publicId}`);
  expect((await world.revoke('ProviderA', publicId)).status).toBe(200);
  expect(made.ids).not.toEqual([]);
  expect(await contracts()).toEqual(made);
});
