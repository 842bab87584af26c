import type { Sent } from './dearest.ts';
import { type Cost, costOf, memoryRatio, restart } from './process-cost.ts';
import type { Shape } from './shape.ts';
import type { Attacked, Target } from './targets.ts';

/** The most that a request may cost. */
export interface Bounds {
  /** CPU time, in milliseconds. */
  readonly cpuMs: number;
  /** Bytes of memory for each byte sent. */
  readonly memory: number;
}

/** A request that costs too much, with the smallest shape that does. */
export interface Counterexample {
  readonly sent: Sent;
  readonly why: string;
}

const rounds = 4;
/** Rounds of measurement for a request that seems too expensive: another process may have disturbed the first one. */
const mostRounds = 12;
const smallestShape = 64;

/**
 * The repeatable cost of a request: the minimum of several rounds, because a round may include a garbage collection or
 * a compilation for earlier requests.
 */
export async function steadyCpu(sent: Sent, target: Target, attacked: Attacked, { cpuMs }: Bounds): Promise<Sent> {
  const prepared = await target.prepare(sent.shape, sent.sender);
  let least: Cost | undefined;
  for (let round = 0; round < rounds || (least!.cpuMs > cpuMs && round < mostRounds); round += 1) {
    const cost = await costOf(prepared, target.services, attacked.platform);
    if (least === undefined || cost.cpuMs < least.cpuMs) least = cost;
  }
  return { ...sent, beginning: prepared.beginning, cost: least! };
}

/** A request that is too slow every time; undefined if it was slow by chance. */
export async function tooSlow(
  sent: Sent, target: Target, attacked: Attacked, most: Bounds,
): Promise<Counterexample | undefined> {
  const { cpuMs } = most;
  const found = await smallest(sent, 2, async (shape) => {
    const steady = await steadyCpu({ ...sent, shape }, target, attacked, most);
    return steady.cost.cpuMs > cpuMs ? steady : undefined;
  });
  return found && { sent: found, why: `${found.cost.cpuMs.toFixed(1)} ms of CPU, at most ${cpuMs}` };
}

/** The same for memory, each time in freshly started processes. */
export async function tooLarge(
  sent: Sent, target: Target, attacked: Attacked, { memory }: Bounds,
): Promise<Counterexample | undefined> {
  const found = await smallest(sent, 4, async (shape) => {
    await restart(target, attacked);
    const small = await target.prepare({ ...shape, size: smallestShape }, sent.sender);
    for (let round = 0; round < rounds; round += 1) await costOf(small, target.services, attacked.platform);
    const prepared = await target.prepare(shape, sent.sender);
    const cost = await costOf(prepared, target.services, attacked.platform);
    return memoryRatio(cost) > memory ? { ...sent, shape, beginning: prepared.beginning, cost } : undefined;
  });
  const times = found && memoryRatio(found.cost).toFixed(1);
  return found && { sent: found, why: `${times} times its size in memory, at most ${memory}` };
}

/**
 * The smallest size that is too expensive. Tries small ones first, because a large one may keep a process busy for
 * hours.
 */
async function smallest(
  { shape }: Sent, factor: number, ifDear: (shape: Shape) => Promise<Sent | undefined>,
): Promise<Sent | undefined> {
  const sizes: number[] = [];
  for (let { size } = shape; size >= 1; size = Math.floor(size / factor)) {
    if (size >= smallestShape || sizes.length === 0) sizes.push(size);
  }
  for (const size of sizes.reverse()) {
    const dear = await ifDear({ ...shape, size });
    if (dear !== undefined) return dear;
  }
  return undefined;
}
