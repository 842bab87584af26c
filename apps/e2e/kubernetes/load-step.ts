import { latency, type Load, refusals, type Tally } from '../faults/load.ts';

/** Requirements of a step. */
interface Demands {
  /** Whether a call may be answered 503. */
  readonly mayRefuse: boolean;
  readonly leastPerSecond: number;
}

/** Where a step writes what it found. */
interface Findings {
  readonly report: (line: string) => void;
  readonly wrong: string[];
}

/** Does the work and waits until all calls succeed again; then checks what clients saw meanwhile. */
export async function step(
  { report, wrong }: Findings, load: Load, what: string, demands: Demands, work: () => Promise<void>,
): Promise<void> {
  await load.phase();
  const begun = performance.now();
  await work();
  await load.steady(120_000);
  const tally = await load.phase();
  const seconds = (performance.now() - begun) / 1_000;
  const rate = tally.right / seconds;
  wrong.push(...wrongsOf(tally, demands.mayRefuse).map((one) => `${what}: ${one}`));
  if (rate < demands.leastPerSecond) wrong.push(`${what}: ${rate.toFixed(1)} right answers in a second`);
  report(`${what}: ${tally.right} right, ${refusals(tally)} refused, ${tally.lost.length} lost, ${tally.wrong.length} wrong, `
    + `${rate.toFixed(1)}/s, p50 ${latency(tally, 0.5).toFixed(0)} ms, p99 ${latency(tally, 0.99).toFixed(0)} ms, `
    + `${seconds.toFixed(0)} s`);
}

function wrongsOf(tally: Tally, mayRefuse: boolean): readonly string[] {
  if (mayRefuse) return tally.wrong;
  const repeatable = refusals(tally) - (tally.unavailable.get('create a team') ?? 0);
  const lost = tally.lost.filter((one) => !one.startsWith('create a team'));
  return [...tally.wrong, ...lost, ...repeatable === 0 ? [] : [`${repeatable} refused, first ${tally.firstUnavailable}`]];
}
