import { type ProofOptions, seeded } from '@platform/testing';
import { Dearest, type Sent } from './dearest.ts';
import { type Cost, costOf, memoryRatio, restart } from './process-cost.ts';
import { mutated, randomShape } from './shape.ts';
import type { Attacked, Target } from './targets.ts';

/** Results of a search so far. */
export interface Found {
  /** Number of shapes that were tried. */
  readonly tried: number;
  /** By CPU time. */
  readonly slow: readonly Sent[];
  /** By memory for the size. */
  readonly large: readonly Sent[];
  /** The most expensive by CPU time per byte: a large request of this shape may be expensive. */
  readonly dense: readonly Sent[];
  /** Number of shapes by outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** A request this slow ends the search, because it would distort later measurements. */
const longestCpuMs = 1_000;
const mostKept = 24;
const reportEvery = 500;

/**
 * Tries shapes at all targets in turn; half of them are small mutations of the most expensive shapes so far, at the
 * same or another target. The seed decides the choices; costs are measured, so two searches differ a little.
 */
export async function search(
  attacked: Attacked, targets: readonly Target[], count: number,
  { seed, report, resume, checkpoint }: Pick<ProofOptions, 'seed' | 'report' | 'resume' | 'checkpoint'>,
): Promise<Found> {
  const before = resume as Found | undefined;
  const slow = new Dearest(({ cpuMs }) => cpuMs, mostKept, before?.slow);
  const large = new Dearest(memoryRatio, mostKept, before?.large);
  const dense = new Dearest(({ cpuMs, bytes }) => cpuMs / (bytes + 4_096), mostKept, before?.dense);
  const outcomes: Record<string, number> = { ...before?.outcomes };
  const byName = new Map(targets.map((target) => [target.name, target]));
  const inTurn = seeded(seed).shuffle(targets);
  const foundAfter = (tried: number): Found =>
    ({ tried, slow: slow.all, large: large.all, dense: dense.all, outcomes });

  for (let index = before?.tried ?? 0; index < count; index += 1) {
    const random = seeded(`${seed} ${index}`);
    const model = random.chance(0.5) ? random.pick([slow, slow, large, dense]).pick(random) : undefined;
    const same = model !== undefined && random.chance(0.6) ? byName.get(model.target) : undefined;
    const target = same ?? inTurn[index % inTurn.length]!;
    const sender = same && model && random.chance(0.8) ? model.sender : random.pick(target.senders);
    const shape = model === undefined ? randomShape(random) : mutated(model.shape, random);
    const prepared = await target.prepare(shape, sender);
    const measure = () => costOf(prepared, target.services, attacked.platform);
    const first = await measure();
    const hangs = first.cpuMs > longestCpuMs;
    // The cost may include a garbage collection or a compilation for earlier requests.
    const cost = slow.admits(first) && !hangs ? lesser(first, await measure()) : first;
    const sent = { target: target.name, sender, shape, beginning: prepared.beginning, cost };
    for (const kept of [slow, large, dense]) kept.add(sent);
    for (const outcome of cost.outcomes) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (hangs) {
      report(`${index + 1} shapes, and the search ends: ${first.cpuMs.toFixed(0)} ms for ${target.name}`);
      await restart(target, attacked);
      return foundAfter(index + 1);
    }
    if ((index + 1) % reportEvery === 0) {
      const [dearest] = slow.all;
      report(`${index + 1} shapes, the dearest ${dearest!.cost.cpuMs.toFixed(1)} ms: ${dearest!.target}`);
      await checkpoint?.(foundAfter(index + 1));
    }
  }
  return foundAfter(count);
}

/** Takes the lower CPU time and the higher growth, because memory that has grown before does not grow again. */
function lesser(first: Cost, second: Cost): Cost {
  const grownBytes = Math.max(first.grownBytes, second.grownBytes);
  return { ...first, cpuMs: Math.min(first.cpuMs, second.cpuMs), grownBytes };
}
