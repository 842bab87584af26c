import type { ProofOptions, ProofResult } from '@platform/testing';
import { startWorld } from '../src/orgs/world.ts';
import { inContainers } from '../src/load/container.ts';
import { connections, loadSettings, prepareMix, startGenerator } from '../src/load/load-world.ts';
import { residentMemory } from '../src/load/resident-memory.ts';

export const name = 'soak';
export const describe = 'Ten minutes at half of the capacity measured just before: no error, and every process has at '
  + 'minute 10 at most 1.05 times the resident memory of minute 3.';
export const servers = true;

const minutes = 10;
const [first, last] = [3, minutes] as const;
const organizations = 16;
const samplesPerMinute = 12;
const mostRatio = 1.05;
const mebibyte = 1024 * 1024;
/** Processes that the measurement itself needs. */
const notOurs = ['e2e', 'node'];

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startWorld({ settings: loadSettings, surroundings: inContainers });
  const mix = await prepareMix(world, Math.max(2, Math.round(organizations * share)));
  using generator = startGenerator(world.platform.baseUrl, mix);
  const minute = 60_000 * share;
  const warm = await generator.run({ seed, connections, milliseconds: Math.max(1_000, 10_000 * share) });
  const capacity = await generator.run({ seed: seed + 1, connections, milliseconds: Math.max(1_000, 20_000 * share) });
  const perSecond = Math.max(1, capacity.perSecond / 2);
  report(`capacity ${capacity.perSecond.toFixed(0)} requests/s`);

  const samples: Map<string, number>[][] = [];
  let now: Map<string, number>[] = [];
  const sampling = setInterval(() => now.push(residentMemory(process.pid, notOurs)), minute / samplesPerMinute);
  let [answered, errors] = [0, warm.errors + capacity.errors];
  const examples = [...warm.examples, ...capacity.examples];
  try {
    for (let done = 1; done <= minutes; done += 1) {
      const outcome = await generator.run({ seed: seed + 1 + done, connections, milliseconds: minute, perSecond });
      samples.push(now);
      now = [];
      answered += outcome.answered;
      errors += outcome.errors;
      examples.push(...outcome.examples);
      report(`minute ${done}: ${outcome.errors} errors, p99 ${outcome.p99.toFixed(0)} ms, ${shown(medians(samples.at(-1)!))}`);
    }
  } finally {
    clearInterval(sampling);
  }
  const [before, after] = [medians(samples[first - 1]!), medians(samples[last - 1]!)];
  const ratios = [...after].map(([kind, bytes]) => [kind, bytes / (before.get(kind) ?? bytes)] as const);
  const grown = ratios.filter(([, ratio]) => ratio > mostRatio);
  return {
    figure: `${answered} requests at ${perSecond.toFixed(0)}/s, ${errors} errors; minute ${last} in multiples of minute `
      + `${first}: ${ratios.map(([kind, ratio]) => `${kind} ${ratio.toFixed(3)}`).join(', ')}`,
    holds: errors === 0 && ratios.length > 0 && (share < 1 || grown.length === 0),
    counterexamples: [...examples.slice(0, 20), ...grown.map(([kind, ratio]) => `${kind} grew ${ratio.toFixed(3)} times`)],
  };
}

/** The median of each kind: one sample may be taken just before or after a garbage collection. */
function medians(samples: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const kinds = new Set(samples.flatMap((sample) => [...sample.keys()]));
  return new Map([...kinds].map((kind) => {
    const values = samples.map((sample) => sample.get(kind) ?? 0).sort((a, b) => a - b);
    return [kind, values[Math.floor(values.length / 2)]!];
  }));
}

function shown(memory: ReadonlyMap<string, number>): string {
  return [...memory].map(([kind, bytes]) => `${kind} ${(bytes / mebibyte).toFixed(0)} MiB`).join(', ');
}
