import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProofOptions, ProofResult } from '@platform/testing';
import { PlatformState } from '../src/launched-platform.ts';
import { readTutorials, type Tutorial } from '../src/tutorials/read-tutorial.ts';
import { runSteps } from '../src/tutorials/run-tutorial.ts';

export const name = 'tutorials';
export const describe = 'Each tutorial of docs/tutorials without a cluster, in full and as it stands, after its own `npm start` with empty '
  + 'state: each command succeeds, and prints what the page says.';

export async function prove({ report }: ProofOptions): Promise<ProofResult> {
  // Leave out the tutorial on a cluster, which `prove -- release` follows.
  const tutorials = readTutorials().filter(({ steps }) => !steps.some(({ needs }) => needs === 'cluster'));
  const counterexamples: string[] = [];
  for (const tutorial of tutorials) {
    const begun = performance.now();
    const wrong = await follow(tutorial);
    const took = Math.round((performance.now() - begun) / 1_000);
    report(`${tutorial.name}: ${tutorial.steps.length} blocks, ${wrong.length} wrong, ${took} s with the start`);
    counterexamples.push(...wrong.map((one) => `${tutorial.name}: ${one}`));
  }
  const blocks = tutorials.reduce((sum, { steps }) => sum + steps.length, 0);
  return {
    figure: `${tutorials.length} tutorials with ${blocks} blocks of commands: ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples,
  };
}

/** Follows a tutorial on a platform of its own; returns what differs from the page. */
async function follow({ steps }: Tutorial): Promise<string[]> {
  const state = await PlatformState.create();
  const contexts = await mkdtemp(join(tmpdir(), 'platform-contexts-'));
  try {
    await state.start().running();
    const { printed, code, end } = await runSteps(steps, { PLATFORM_HOME: state.home, XDG_CONFIG_HOME: contexts });
    const lacking = printed.flatMap((one) => one.lacking.map((line) => `${one.step.title}: lacks "${line}"`));
    return code === 0 ? lacking : [...lacking, `ends with code ${code}: ${end}`];
  } finally {
    await state.remove();
    await rm(contexts, { recursive: true, force: true });
  }
}
