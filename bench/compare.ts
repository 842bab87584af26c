import { quantile } from '@platform/testing';
import { cpuOf } from './cpu.ts';
import { type Load, run } from './load.ts';

/** One of the compared sides: its load, and the processes whose CPU time counts. */
export interface Side {
  name: string;
  load: Load;
  /** Ids of processes. The descendants of these processes count, too. */
  processes: () => readonly number[];
  /** Awaited before the CPU time is read, so that work caused by the requests is included. */
  finished?: () => Promise<void>;
}

export interface Measured {
  name: string;
  /** CPU time per request, in ms: median over the rounds, and the lowest and highest. */
  cpu: Spread;
  /** CPU time, divided by the CPU time of the first side in the same round. */
  times: Spread;
  p50: Spread;
  p99: Spread;
  /** Answered requests per second. */
  perSecond: Spread;
  /** Median of the CPU time per request, in ms, by kind of process. */
  cpuByKind: ReadonlyMap<string, number>;
}

export interface Spread {
  median: number;
  low: number;
  high: number;
}

interface Sample {
  cpu: number;
  p50: number;
  p99: number;
  perSecond: number;
  byKind: ReadonlyMap<string, number>;
}

/**
 * Runs the sides in turn, so that other load on the machine affects them alike. The first round is a warm-up and does
 * not count.
 */
export async function compare(
  sides: readonly Side[],
  rounds: number,
  afterRound: () => Promise<void> = async () => undefined,
): Promise<Measured[]> {
  const samples = sides.map((): Sample[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, side] of sides.entries()) {
      const sample = await measure(side);
      if (round > 0) samples[at]!.push(sample);
    }
    await afterRound();
  }
  return sides.map(({ name }, at) => {
    const own = samples[at]!;
    const of = (key: 'cpu' | 'p50' | 'p99' | 'perSecond') => spread(own.map((sample) => sample[key]));
    const kinds = new Set(own.flatMap(({ byKind }) => [...byKind.keys()]));
    return {
      name, cpu: of('cpu'), p50: of('p50'), p99: of('p99'), perSecond: of('perSecond'),
      times: spread(own.map(({ cpu }, round) => cpu / samples[0]![round]!.cpu)),
      cpuByKind: new Map([...kinds].map((kind) =>
        [kind, spread(own.map(({ byKind }) => byKind.get(kind) ?? 0)).median])),
    };
  });
}

async function measure({ load, processes, finished }: Side): Promise<Sample> {
  const before = cpuOf(processes());
  const { latencies, wallMs } = await run(load);
  await finished?.();
  const after = cpuOf(processes());
  const each = (ms: number) => ms / latencies.length;
  return {
    cpu: each(after.total - before.total),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    perSecond: latencies.length / (wallMs / 1000),
    byKind: new Map([...after.byKind].map(([kind, ms]) => [kind, each(ms - (before.byKind.get(kind) ?? 0))])),
  };
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)]!, low: sorted[0]!, high: sorted.at(-1)! };
}

/** Prints a table of the sides, with ratios to the first side. */
export function print(title: string, measured: readonly Measured[], goals: Readonly<Record<string, number>>): void {
  const [base] = measured;
  const range = ({ median, low, high }: Spread, digits: number) =>
    `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
  console.log(`\n${title}\n`);
  console.log('| side | CPU ms per request | × CPU | goal | p50 ms | × | p99 ms |');
  console.log('|---|---|---|---|---|---|---|');
  for (const { name, cpu, times, p50, p99 } of measured) {
    const goal = goals[name] === undefined ? '' : `≤ ${goals[name]}`;
    console.log(
      `| ${name} | ${range(cpu, 3)} | ${range(times, 2)} | ${goal} | ${range(p50, 1)} `
        + `| ${(p50.median / base!.p50.median).toFixed(2)} | ${range(p99, 1)} |`,
    );
  }
}

/** Prints the CPU time per request of each side, by kind of process. Omits kinds below 0.01 ms on every side. */
export function printKinds(measured: readonly Measured[]): void {
  const kinds = [...new Set(measured.flatMap(({ cpuByKind }) => [...cpuByKind.keys()]))].filter((kind) =>
    measured.some(({ cpuByKind }) => (cpuByKind.get(kind) ?? 0) >= 0.01));
  console.log('\nCPU ms per request by kind of process\n');
  console.log(`| side | ${kinds.join(' | ')} |`);
  console.log(`|---|${kinds.map(() => '---|').join('')}`);
  for (const { name, cpuByKind } of measured) {
    console.log(`| ${name} | ${kinds.map((kind) => (cpuByKind.get(kind) ?? 0).toFixed(2)).join(' | ')} |`);
  }
}
