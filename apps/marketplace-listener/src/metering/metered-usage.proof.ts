import { sql } from '@platform/postgres';
import type { SumUseOfContractsRequest, UseOfMonth } from '@platform/proto/billing/v1/lookup';
import { type ProofOptions, type ProofResult, seeded, type SeededRandom } from '@platform/testing';
import { compareBilled, type Used } from '../fixtures/billed.ts';
import { jobWithin, type MeteredWorld, startMeteredWorld } from '../fixtures/metered-world.ts';
import { marketplaces } from '../marketplaces.ts';
import { closeHours } from './close-hours.ts';
import { dimensionOf } from './dimensions.ts';
import { reportBucket } from './report-bucket.ts';

export const name = 'metered-usage';
export const describe =
  'In 30 simulated days, use of three providers is closed by the hour and reported, twice at the same time, while '
  + 'providers and the way to them hang, answer 500, 429 and nonsense, and lose answers, and events come late: the '
  + 'providers count each bucket once, no bucket is missing, and the buckets add up to the whole use.';
export const servers = true;

const wholeHours = 30 * 24;
const hourMs = 3_600_000;
const stepMs = 600_000;
const begin = Date.UTC(2026, 9, 15);
/** Billionths of a core or of a byte, multiplied by microseconds. */
type Amount = bigint;

/** Usage in an hour, and the time when it became known. */
interface Use {
  readonly contractId: number;
  readonly endsAt: number;
  readonly knownAt: number;
  readonly cpu: Amount;
  readonly memory: Amount;
}

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startMeteredWorld();
  const random = seeded(String(seed));
  const hours = Math.max(6, Math.round(wholeHours * share));
  const uses = randomUses(random, hours);
  const contracts = new Map<number, number>();
  for (const [place, marketplace] of marketplaces.entries()) {
    contracts.set(place + 1, await world.subscribe(marketplace, place + 1, new Date(begin + 5 * 60_000)));
  }
  letItFail(world, random);
  let now = begin;
  const parts = { database: world.rows, usage: { sumUseOfContracts: async (request: SumUseOfContractsRequest) => {
    return { uses: sumOf(uses, request, now) };
  } } };
  // Run long enough for the bucket after the last known usage.
  const end = begin + (hours + 14) * hourMs;
  for (; now < end; now += stepMs) {
    const at = new Date(now);
    await Promise.all([1, 2].map(() => closeHours(parts, at, jobWithin(60_000))));
    await reportAll(world, at);
    if ((now - begin) % (24 * hourMs) === 0) report(`day ${(now - begin) / (24 * hourMs)}`);
  }
  const used = new Map([...contracts].map(([contract, subscription]) => [subscription, usedUnder(contract, uses)]));
  const { buckets, wrong } = await compareBilled(world, used);
  return {
    figure: `${hours} hours, ${buckets} buckets, each counted once: ${wrong.length} differences`,
    holds: wrong.length === 0 && buckets > hours,
    counterexamples: wrong.slice(0, 10),
  };
}

function usedUnder(contract: number, uses: readonly Use[]): Used {
  return new Map((['cpu', 'memory'] as const).map((resource) => [
    dimensionOf('productdb', resource),
    uses.filter(({ contractId }) => contractId === contract).reduce((sum, use) => sum + use[resource], 0n),
  ]));
}

/** Two replicas report each bucket at the same time. Failed reports are tried again later. */
async function reportAll({ rows, parts }: MeteredWorld, now: Date): Promise<void> {
  const waiting = await rows.query(sql<{ id: string }>`select id from usage_bucket where state = 'waiting'`);
  await Promise.all(waiting.flatMap(({ id }) => [id, id])
    .map((id) => reportBucket(parts, id, now, jobWithin(500)).catch(() => undefined)));
}

function letItFail(world: MeteredWorld, random: SeededRandom): void {
  const troubles = ['hang', 'lose', 'lose', 'nonsense', 500, 500, 429, 429] as const;
  const choose = () => (random.chance(0.25) ? troubles[random.integer(0, troubles.length - 1)] : undefined);
  world.onTheWay = choose;
  Object.values(world.fakes).forEach((fake) => fake.trouble(choose));
}

/** Some hours have no usage, and some usage becomes known hours later. */
function randomUses(random: SeededRandom, hours: number): Use[] {
  return Array.from({ length: hours }, (_, hour) => [1, 2, 3].flatMap((contractId) => {
    const endsAt = begin + (hour + 1) * hourMs;
    const amount = () => BigInt(random.integer(1, 2 ** 40));
    return random.chance(0.1) ? [] : [0, random.chance(0.2) ? random.integer(1, 10) : 0].map((lateHours) => ({
      contractId, endsAt, knownAt: endsAt + lateHours * hourMs,
      cpu: amount() * 12_345_678n, memory: amount() * 9_876_543_210_987_654n,
    }));
  })).flat();
}

function sumOf(
  uses: readonly Use[], { contractIds, until, fromMonth }: SumUseOfContractsRequest, now: number,
): UseOfMonth[] {
  const sums = new Map<string, { cpu: Amount; memory: Amount }>();
  for (const { contractId, endsAt, knownAt, cpu, memory } of uses) {
    // The usage of an hour is in its middle, so that it belongs to one month.
    const month = new Date(endsAt - hourMs / 2).toISOString().slice(0, 7);
    if (!contractIds.includes(contractId) || endsAt > until * 1000 || knownAt > now || month < fromMonth) continue;
    const sum = sums.get(month) ?? { cpu: 0n, memory: 0n };
    sums.set(month, { cpu: sum.cpu + cpu, memory: sum.memory + memory });
  }
  return [...sums].map(([month, { cpu, memory }]) =>
    ({ product: 'productdb', month, cpu: cpu.toString(), memory: memory.toString() }));
}
