import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import type { ProofOptions, ProofResult } from '@platform/testing';
import { attackWorld } from '../src/attacks/attack-world.ts';
import { attackOverGrpc } from '../src/attacks/grpc-attack.ts';
import { startPlatform } from '../src/platform.ts';

export const name = 'grpc-attacks';
export const describe = 'Random messages and random bytes to each method over gRPC, 1,000 each, as every kind of '
  + 'caller: no service ends, no answer is INTERNAL.';
export const servers = true;

const wholeCasesPerMethod = 1_000;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const platform = await startPlatform();
  const casesPerMethod = Math.ceil(wholeCasesPerMethod * share);
  const surface = readSurface(await readImage());
  const { cases, outcomes, wrong } = await attackOverGrpc(surface, platform, await attackWorld(platform), {
    ...{ seed, casesPerMethod, report },
  });
  const counted = [...outcomes].sort(([, a], [, b]) => b - a).map(([outcome, count]) => `${count} ${outcome}`);
  return {
    figure: `${cases} calls, ${wrong.length} wrong (${counted.join(', ')})`,
    holds: wrong.length === 0,
    counterexamples: wrong.slice(0, 20),
  };
}
