import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium } from '@platform/testing';
import { type ConsoleWorld, startConsoleWorld } from './console-world.ts';
import { foreignPagesAsk } from './foreign-pages.ts';
import { makeHostile } from './hostile.ts';
import { faultsOf, pathsWithout, screensOf } from './look.ts';
import { partsAreAway } from './story-away.ts';
import { operatorManagesClusters } from './story-clusters.ts';
import { financeLooksAtQuotas, financeLooksAtUsage } from './story-finance.ts';
import { ownerImportsClusters } from './story-imports.ts';
import { newcomerBegins } from './story-newcomer.ts';
import { siteAdminLooksAtChanges, siteAdminOperates } from './story-operates.ts';
import { ownerGivesRoles, personLooksAtOwnThings } from './story-owner.ts';
import { siteAdminPresents } from './story-presents.ts';
import { siteAdminSells } from './story-sells.ts';

const start = await findChromium();
if (start === undefined) {
  process.stdout.write('The console is not tried in a browser: Debian has it in the package chromium.\n');
}

const patience = 120_000;

(start === undefined ? describe.skip : describe)('the console in a browser', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await startConsoleWorld(start!);
  }, patience);
  afterAll(async () => world?.[Symbol.asyncDispose]());
  // Nothing that the policy refuses, no error in the console, no request to another host, no refusal by surprise.
  afterEach(async () => expect(await world.leave()).toEqual([]));

  it.each([
    ['a newcomer begins', newcomerBegins],
    ['a site admin sells', siteAdminSells],
    ['an owner gives roles', ownerGivesRoles],
    ['a person looks at the own things', personLooksAtOwnThings],
    ['finance looks at usage', financeLooksAtUsage],
    ['finance looks at quotas', financeLooksAtQuotas],
    ['an operator manages clusters', operatorManagesClusters],
    ['an owner imports clusters', ownerImportsClusters],
    ['a site admin operates', siteAdminOperates],
    ['a site admin looks at changes', siteAdminLooksAtChanges],
    ['a site admin presents', siteAdminPresents],
    ['a part is away', partsAreAway],
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
    const sam = await world.visit(world.siteAdmin);
    const faults: string[] = [];
    for (const path of screens) faults.push(...await faultsOf(sam, path));
    expect(faults).toEqual([]);
  }, 600_000);
});
