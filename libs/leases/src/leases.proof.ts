import { type ProofOptions, type ProofResult, seeded } from '@platform/testing';
import { type Case, endlessWorld, largeCases, mistakes, smallCases, worldOf } from './fixtures/cases.ts';
import { searchAll, walk } from './fixtures/search.ts';

export const name = 'leases';
export const describe = 'No kept answer is used after its revocation was acknowledged: every order of up to two '
  + 'changers and three holders within bounds, with loss, delay, doubling, pause, restart and clock steps; 10,000,000 '
  + 'random steps.';

const wholeSteps = 10_000_000;
const stepsPerWorld = 20_000;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const counterexamples: string[] = [];
  let states = 0;
  const cases: readonly Case[] = share < 1 ? smallCases : [...smallCases, ...largeCases];
  for (const one of cases) {
    const searched = searchAll(worldOf(one));
    states += searched.states;
    if (!searched.isWhole) counterexamples.push(`${one.name}: ${searched.stale?.join('; ')}`);
    report(`${one.name}: ${searched.states} states`);
  }
  const missed = mistakes.filter(({ name: mistake, rules, world }) =>
    searchAll(worldOf({ name: mistake, ...world }, rules)).stale === undefined);
  counterexamples.push(...missed.map(({ name: mistake }) => `not found: a holder or a change that ${mistake}`));

  const wanted = Math.round(wholeSteps * share);
  let steps = 0;
  let promised = 0;
  for (let world = 0; steps < wanted; world += 1) {
    const walked = walk(endlessWorld(), seeded(`${seed} ${world}`), stepsPerWorld);
    steps += stepsPerWorld;
    promised += walked.promised;
    if (walked.stale) counterexamples.push(`world ${world}: ${walked.stale.join('; ')}`);
    if (world % 50 === 0) report(`${steps} random steps, ${promised} changes promised`);
  }
  return {
    figure: `${states} states of ${cases.length} worlds searched whole, ${steps} random steps with ${promised} changes `
      + `promised, ${mistakes.length - missed.length} of ${mistakes.length} planted mistakes found; `
      + `${counterexamples.length} counterexamples`,
    // Random steps without promised changes would prove nothing.
    holds: counterexamples.length === 0 && promised > steps / 5_000,
    counterexamples: counterexamples.slice(0, 5),
  };
}
