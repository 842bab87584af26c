import { randomUUID } from 'node:crypto';
import { addJobs, runNow } from '@platform/jobs';
import { connect, type Database, sql } from '@platform/postgres';
import {
  type ProofOptions, type ProofResult, type Replica, seeded, type SeededRandom, type ServiceSettings, startService,
  testDatabase, testSecret, until,
} from '@platform/testing';
import { compareBilled, type Used } from '../fixtures/billed.ts';
import { type MeteredWorld, startMeteredWorld } from '../fixtures/metered-world.ts';
import { dimensionOf } from './dimensions.ts';

export const name = 'metered-usage-kills';
export const describe =
  'The use of 400 subscriptions in 18 hours is closed by the hour and reported while the marketplace listener and '
  + 'billing-dashboard are killed (kill -9) 100 times: the providers count each bucket once, and the buckets add up '
  + 'to the whole use.';
export const servers = true;

const [wholeSubscriptions, wholeKills] = [400, 100];
const hourMs = 3_600_000;
/** Number of hours with usage. Provider A rejects old reports. Its fake has one customer: only contract 1 uses it. */
const usedHours = { ProviderA: 3, ProviderB: 18, ProviderC: 18 } as const;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(String(seed));
  const kills = Math.max(2, Math.round(wholeKills * share));
  await using billing = await startBilling();
  await using world = await startMeteredWorld(billing.settings, { ownProcess: 'killed' });
  // The last hour that may be closed now.
  const end = Math.floor((Date.now() - 600_000) / hourMs) * hourMs;
  const used = new Map<number, Used>();
  let uses = 0;
  for (let contract = 1; contract <= Math.max(4, Math.round(wholeSubscriptions * share)); contract += 1) {
    const marketplace = contract === 1 ? 'ProviderA' : random.pick(['ProviderB', 'ProviderC'] as const);
    const begin = end - usedHours[marketplace] * hourMs;
    const subscription = await world.subscribe(marketplace, contract, new Date(begin));
    const entered = await enterUse(billing.rows, random, contract, { begin, end });
    used.set(subscription, entered.used);
    uses += entered.hours;
  }
  const { listener, fakes } = world;
  const counted = () => fakes.a.counted.size + fakes.b.counted.size + fakes.c.counted.size;
  const closeNow = () => addJobs(world.rows, [runNow('close-usage-hours')]);
  await listener.restart();
  await closeNow();
  let cutOff = 0;
  // An hour with usage has two buckets. The last kills come when nearly all of them are reported.
  const moments = Array.from({ length: kills }, () => random.integer(1, Math.floor(1.8 * uses))).toSorted((a, b) => a - b);
  for (const [index, moment] of moments.entries()) {
    await until(() => counted() >= moment, { within: 120_000, what: `${moment} reports are counted` });
    const target = index % 2 === 0 ? listener : billing.replica;
    await target.kill();
    if (target === listener) cutOff += await jobsUnderWay(world);
    await target.restart();
    await closeNow();
    if ((index + 1) % 10 === 0) report(`${index + 1} of ${kills} kills, ${counted()} reports`);
  }
  await until(() => isDone(world, new Date(end)), { within: 120_000, what: 'all buckets are reported' });
  const { buckets, wrong } = await compareBilled(world, used);
  return {
    figure: `${used.size} subscriptions, ${buckets} buckets, ${kills} kills that cut off ${cutOff} jobs: `
      + `${wrong.length} differences`,
    holds: wrong.length === 0 && buckets > uses,
    counterexamples: wrong.slice(0, 10),
  };
}

/** Starts billing-dashboard alone, and opens its database. */
async function startBilling(): Promise<
  AsyncDisposable & { readonly rows: Database; readonly replica: Replica; readonly settings: ServiceSettings }
> {
  const nowhere = '127.0.0.1:9';
  const { url, schema, settings } = await testDatabase('billing-dashboard');
  const serviceCredential = testSecret();
  const service = await startService('billing-dashboard', {
    ...settings, 'secrets.serviceCredential': serviceCredential, 'secrets.encryptionKeys': testSecret(),
    'services.orgsTeams': nowhere, 'services.authz': nowhere, 'services.clusters': nowhere, 'services.contractsLicensing': nowhere,
  }, { ownProcess: 'killed' });
  const rows = connect({ url, schema, applicationName: 'spec', maxConnections: 2 });
  return {
    rows, replica: service.replicas[0],
    settings: {
      'secrets.serviceCredential': serviceCredential, 'services.billingDashboard': service.addressList('grpc'),
    },
    [Symbol.asyncDispose]: async () => {
      await rows[Symbol.asyncDispose]();
      await service.stop();
    },
  };
}

/** Inserts usage of a contract into most of the hours from `begin` to `end`. */
async function enterUse(
  rows: Database, random: SeededRandom, contractId: number, { begin, end }: { begin: number; end: number },
): Promise<{ used: Used; hours: number }> {
  const hours = Array.from({ length: (end - begin) / hourMs }, (_, hour) => begin + hour * hourMs)
    .filter((_, hour) => hour === 0 || random.chance(0.9));
  // At least one core and one GiB, so that each hour with usage has a bucket for both.
  const segments = hours.map((from) => ({
    from_us: from * 1_000, month: new Date(from).toISOString().slice(0, 7) + '-01',
    cpu: BigInt(random.integer(10 ** 9, 10 ** 11)).toString(),
    memory: (BigInt(random.integer(2 ** 30, 2 ** 40)) * 10n ** 9n).toString(),
  }));
  await rows.transact(async (transaction) => {
    await transaction.execute(sql`
      insert into contract (id, owner_id, name, product, starts_at, ends_at)
      values (${contractId}, ${contractId}, 'c', 'productdb', now(), now() + interval '1 year')`);
    const { id } = await transaction.one(sql<{ id: number }>`
      insert into metered_object (owner_id, cluster_uid, product, object_uid, first_at)
      values (${contractId}, ${randomUUID()}, 'productdb', 'orders', now()) returning id`);
    await transaction.execute(sql`
      insert into usage_segment
             (metered_id, from_us, to_us, month, owner_id, product, cpu, memory, contract_id, class, mode)
      select ${id}, from_us, from_us + ${hourMs * 1_000}, month, ${contractId}, 'productdb', cpu, memory, ${contractId},
             'prod', 'prod'
        from jsonb_to_recordset(${sql.json(segments)}::jsonb)
          as given (from_us bigint, month date, cpu numeric, memory numeric)`);
  });
  const used = new Map((['cpu', 'memory'] as const).map((resource) => [
    dimensionOf('productdb', resource),
    segments.reduce((sum, segment) => sum + BigInt(segment[resource]) * BigInt(hourMs * 1_000), 0n),
  ]));
  return { used, hours: hours.length };
}

async function jobsUnderWay({ rows }: MeteredWorld): Promise<number> {
  const { locked } = await rows.one(sql<{ locked: number }>`
    select count(*)::integer as "locked" from _private_jobs where locked_by is not null`);
  return locked;
}

async function isDone({ rows }: MeteredWorld, end: Date): Promise<boolean> {
  const { open } = await rows.one(sql<{ open: boolean }>`
    select exists (select from usage_bucket where state = 'waiting') or exists (
             select from subscription left join metered_subscription metered on metered.subscription_id = subscription.id
              where coalesce(metered.closed_until < ${end}, true)
           ) as "open"`);
  return !open;
}
