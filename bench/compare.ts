import { cpuOf } from './cpu.ts';
import { type Load, run } from './load.ts';

/** One of the things compared: what it is asked, and whose CPU time counts. */
export interface Side {
  name: string;
  load: Load;
  /** Process ids; their descendants count too. */
  processes: () => readonly number[];
}

export interface Measured {
  name: string;
  /** Per request, in ms: median over the rounds, and the lowest and highest. */
  cpu: Spread;
  p50: Spread;
  p99: Spread;
}

export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** Runs the sides in turn, so that other load on the machine meets them alike. The first round warms up. */
export async function compare(sides: readonly Side[], rounds: number): Promise<Measured[]> {
  const samples = sides.map((): { cpu: number; p50: number; p99: number }[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, { load, processes }] of sides.entries()) {
      const before = cpuOf(processes());
      const { latencies } = await run(load);
      const cpu = (cpuOf(processes()) - before) / latencies.length;
      const quantile = (share: number) => latencies[Math.floor(share * (latencies.length - 1))]!;
      if (round > 0) samples[at]!.push({ cpu, p50: quantile(0.5), p99: quantile(0.99) });
    }
  }
  return sides.map(({ name }, at) => {
    const of = (key: 'cpu' | 'p50' | 'p99') => spread(samples[at]!.map((sample) => sample[key]));
    return { name, cpu: of('cpu'), p50: of('p50'), p99: of('p99') };
  });
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)]!, low: sorted[0]!, high: sorted.at(-1)! };
}

/** The table and the ratios to the first side. */
export function print(title: string, measured: readonly Measured[], goals: Readonly<Record<string, number>>): void {
  const [base] = measured;
  const ms = ({ median, low, high }: Spread) => `${median.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`;
  console.log(`\n${title}\n`);
  console.log('| side | CPU ms per request | × | p50 ms | × | p99 ms | goal × CPU |');
  console.log('|---|---|---|---|---|---|---|');
  for (const { name, cpu, p50, p99 } of measured) {
    const times = (value: Spread, of: Spread) => (value.median / of.median).toFixed(2);
    const goal = goals[name] === undefined ? '' : `≤ ${goals[name]}`;
    console.log(
      `| ${name} | ${ms(cpu)} | ${times(cpu, base!.cpu)} | ${ms(p50)} | ${times(p50, base!.p50)} | ${ms(p99)} | ${goal} |`,
    );
  }
}
