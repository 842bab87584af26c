import { findChromium, type ProofOptions, type ProofResult, seeded } from '@platform/testing';
import { startConsoleWorld } from '../src/console/console-world.ts';
import { drawKill, stories, walk } from '../src/console/stories.ts';

export const name = 'console';
export const describe = 'Each story of the console is walked in Chromium three times, and a service that it needs is '
  + 'killed before an act drawn by the seed and is back after it: the page names the service that is away, nothing typed is lost, the '
  + 'screen reads again by itself, and the story ends as usual.';
export const servers = true;
export const selects = true;

const wholeRounds = 3;

export async function prove({ seed, share, only = '', report }: ProofOptions): Promise<ProofResult> {
  const start = await findChromium();
  if (start === undefined) return { figure: 'there is no Chromium here (Debian: chromium)', holds: undefined };
  const random = seeded(seed);
  const rounds = Math.max(1, Math.round(wholeRounds * share));
  const counterexamples: string[] = [];
  let [kills, named, inVain] = [0, 0, 0];
  for (let round = 1; round <= rounds; round += 1) {
    const drawn = stories.map((story) => {
      const kill = drawKill(story, random);
      return { story, kill, label: `${story.name}, ${kill.service} killed at act ${kill.act} of ${story.acts}` };
    });
    const chosen = drawn.filter(({ label }) => label.includes(only));
    if (chosen.length === 0) continue;
    await using world = await startConsoleWorld(start, { of: 'all', because: 'killed' });
    for (const { story, kill, label } of chosen) {
      const wrong: string[] = [];
      const seen = await walk(world, story, kill).catch((error: unknown) => {
        wrong.push(String(error));
      });
      wrong.push(...await world.leave());
      counterexamples.push(...wrong.map((one) => `round ${round}: ${label}: ${one}`));
      kills += 1;
      named += Number(seen?.wasNamed ?? false);
      inVain += Number(seen?.wasInVain ?? false);
      report([`${round} of ${rounds}: ${label}`, ...wrong].join('\n  '));
    }
  }
  if (kills === 0) return { figure: `no kill of this seed and share is described by ${only}`, holds: undefined };
  return {
    figure: `${kills} kills in ${stories.length} stories, ${named} named by a second tab, ${inVain} acts in vain and `
      + `done again, ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples,
  };
}
