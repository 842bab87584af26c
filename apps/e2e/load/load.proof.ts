import type { ProofOptions, ProofResult } from '@platform/testing';
import { startWorld } from '../src/orgs/world.ts';
import { inContainers } from '../src/load/container.ts';
import { connections, loadSettings, prepareMix, startGenerator } from '../src/load/load-world.ts';

export const name = 'load';
export const describe = '60 s at 80 % of the capacity measured just before, over 64 connections: 70 % reads of '
  + 'organizations, teams and members, 20 % allowed permissions, 10 % writes; no error, p99 at most 10 times p50.';
export const servers = true;

const wholeOrganizations = 16;
const part = 0.8;
const mostRatio = 10;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startWorld({ settings: loadSettings, surroundings: inContainers });
  const mix = await prepareMix(world, Math.max(2, Math.round(wholeOrganizations * share)));
  using generator = startGenerator(world.platform.baseUrl, mix);
  const lasting = (whole: number) => Math.max(1_000, whole * share);

  const warm = await generator.run({ seed, connections, milliseconds: lasting(10_000) });
  const capacity = await generator.run({ seed: seed + 1, connections, milliseconds: lasting(20_000) });
  report(`capacity ${capacity.perSecond.toFixed(0)} requests/s, p50 ${capacity.p50.toFixed(1)} ms, p99 ${capacity.p99.toFixed(1)} ms`);
  const perSecond = Math.max(1, part * capacity.perSecond);
  const load = await generator.run({ seed: seed + 2, connections, milliseconds: lasting(60_000), perSecond });
  const errors = warm.errors + capacity.errors + load.errors;
  const ratio = load.p99 / load.p50;
  return {
    figure: `capacity ${capacity.perSecond.toFixed(0)} requests/s; ${load.answered} requests at ${perSecond.toFixed(0)}/s: `
      + `p50 ${load.p50.toFixed(1)} ms, p99 ${load.p99.toFixed(1)} ms (${ratio.toFixed(1)} times), longest `
      + `${load.longest.toFixed(0)} ms, ${errors} errors`,
    // A short share has too few samples for percentiles, so only its answers count.
    holds: errors === 0 && load.answered > 0 && (share < 1 || ratio <= mostRatio),
    counterexamples: [...warm.examples, ...capacity.examples, ...load.examples].slice(0, 20),
  };
}
