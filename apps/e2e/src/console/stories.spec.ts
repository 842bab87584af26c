import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium, seeded, seedOfRun } from '@platform/testing';
import { type ConsoleWorld, startConsoleWorld } from './console-world.ts';
import { foreignPagesAsk } from './foreign-pages.ts';
import { makeHostile } from './hostile.ts';
import { faultsOfAll, pathsWithout, screensOf } from './look.ts';
import { drawKill, stories, walk } from './stories.ts';
import { partsAreAway } from './story-away.ts';
import {
  deepLinksSurvive, deploymentsLackMenus, keyboardAlone, nothingTypedIsLost, waitingIsInWords,
} from './story-everywhere.ts';

const start = await findChromium();
if (start === undefined) {
  process.stdout.write('The console is not tried in a browser: Debian has it in the package chromium-headless-shell.\n');
}

const patience = 120_000;
// A share of the proof `console`: a service is killed in one story, which changes from day to day.
const random = seeded(seedOfRun());
const interrupted = random.pick(stories);
const kill = drawKill(interrupted, random);

(start === undefined ? describe.skip : describe)('the console in a browser', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await startConsoleWorld(start!, { of: [kill.service], because: 'killed' });
  }, patience);
  afterAll(async () => world?.[Symbol.asyncDispose]());
  // Each story must cause no violation of the content policy, no console error, no request to another host and no
  // unexpected refusal.
  afterEach(async () => expect(await world.leave()).toEqual([]));

  const named = stories.map((story) => [
    story === interrupted ? `${story.name}, ${kill.service} killed at act ${kill.act}` : story.name, story,
  ] as const);
  it.each(named)('%s', async (_, story) => {
    await walk(world, story, story === interrupted ? kill : undefined);
  }, patience);

  it.each([
    ['a part is away', partsAreAway], ['links into the console survive the sign-in', deepLinksSurvive],
    ['nothing typed is lost', nothingTypedIsLost], ['waiting is in words', waitingIsInWords],
    ['deployments that lack routes lack their menu', deploymentsLackMenus],
    ['a person has only a keyboard', keyboardAlone],
    ['pages elsewhere ask with the cookie of a person', foreignPagesAsk],
  ])('%s', async (name, story) => {
    await story(world).catch(async (error: unknown) => {
      await world.keepPictures(name);
      throw error;
    });
  }, patience);

  it('every screen can be read by everybody, on a phone, in the dark, with hostile texts', async () => {
    const screens = screensOf(world, await makeHostile(world));
    expect(pathsWithout(screens)).toEqual([]);
    const visitors = [await world.visit(world.siteAdmin), await world.visit(world.siteAdmin)];
    expect(await faultsOfAll(visitors, screens)).toEqual([]);
  }, 600_000);
});
