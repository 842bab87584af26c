import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Page, repositoryRoot, until } from '@platform/testing';
import type { ConsoleWorld } from './console-world.ts';
import type { HostileThings } from './hostile.ts';
import type { Visitor } from './visitor.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

const nowhere = '/nowhere';
/** The colour rules of axe. */
const colors = ['color-contrast', 'link-in-text-block'];

/** The addresses of all screens, with hostile texts in every field that others can set. */
export function screensOf(
  { acme, paris }: ConsoleWorld, { org, team, contract, ownContract, subscription }: HostileThings,
): readonly string[] {
  const at = `/orgs/${org}`;
  const licensed = `/site/licensed/${acme.id}`;
  return [
    '/', '/account', '/account/contracts', `/account/contracts/${ownContract}`, '/account/licences',
    at, `${at}/audit`, `${at}/explain`, `${at}/teams`, `${at}/teams/${team}`, `${at}/members`, `${at}/roles`,
    `${at}/tokens`, `${at}/webhooks`, `${at}/clusters`, `${at}/metrics`, `${at}/contracts`, `${at}/contracts/${contract}`,
    `${at}/licences`, `${at}/usage`, `${at}/client-billing`, '/orgs/acme/usage', '/orgs/acme/clusters/acme/hub',
    '/site/contracts', `/site/contracts/${contract}`, '/site/clients', '/site/licensed', licensed,
    `${licensed}/${paris.clusterUid}`, `${licensed}/${paris.clusterUid}/4711`,
    `${licensed}/${paris.clusterUid}/4711/productdb-enterprise`, '/site/outages', '/site/subscriptions',
    `/site/subscriptions/ProviderB/${subscription}`, '/site/settings', '/site/users', '/site/organizations',
    '/site/webhooks', '/site/audit', '/site/operations', nowhere,
  ];
}

/** The paths of the console's router that match none of the addresses. */
export function pathsWithout(addresses: readonly string[]): string[] {
  const router = readFileSync(join(repositoryRoot, 'apps/console/src/shell/router.tsx'), 'utf8');
  const paths = Array.from(router.matchAll(/^ {2}screen\('([^']+)'/gm), ([, path]) => path!);
  if (paths.length === 0) throw new Error('no path was found in the router');
  return paths.filter((path) => {
    const pattern = new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`);
    return !addresses.some((address) => pattern.test(address));
  });
}

/** Checks all screens in several browsers at once; returns the faults. */
export async function faultsOfAll(visitors: readonly Visitor[], screens: readonly string[]): Promise<string[]> {
  const left = [...screens];
  const found = await Promise.all(visitors.map(async (visitor) => {
    const faults: string[] = [];
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      faults.push(...await faultsOf(visitor, path));
    }
    return faults;
  }));
  return found.flat();
}

/** Checks a screen and its tabs for accessibility, on a phone and with hostile texts; returns the faults. */
async function faultsOf(visitor: Visitor, path: string): Promise<string[]> {
  const { page } = visitor;
  const faults: string[] = [];
  await visitor.go(path);
  const tabs = await page.getByRole('tab').allTextContents();
  for (const tab of tabs.length === 0 ? [undefined] : tabs) {
    if (tab !== undefined) await visitor.click(tab, 'tab');
    await settled(page);
    const note = (fault: string) => faults.push(`${path}${tab === undefined ? '' : ` (${tab})`}: ${fault}`);
    const title = await page.getByRole('heading', { level: 1 }).first().textContent();
    if ((title === 'There is no such page') !== (path === nowhere)) note(`its title is ${title}`);
    if (await page.getByRole('button', { name: 'Copy details' }).count() > 0) note('a part of it failed');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      // In dark mode only the colours differ, so only their rules are checked again.
      const found = await violations(page, colorScheme === 'light' ? {} : { runOnly: colors });
      for (const { id, nodes } of found) note(`${colorScheme} ${id}: ${JSON.stringify(nodes[0])}`);
    }
    for (const fault of await faultsOfCut(page)) note(fault);
    for (const [address, status, type] of await page.evaluate<[string, number, string][]>(lists)) {
      if (status !== 200 || !type.startsWith('text/csv')) note(`${status} ${type} at ${address}`);
    }
    for (const width of [1280, 2560, 360]) {
      if (width !== page.viewportSize()?.width) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
      }
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (wide > width) note(`${wide} px wide at ${width}`);
      const [inner, outer] = await page.evaluate<[number, number]>(content);
      if (inner > outer) note(`the content has ${inner} px in ${outer} at ${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    if (await page.evaluate('window.hostile') !== undefined) note('a text was executed');
  }
  return faults;
}

/** The content may not be wider than its element, which is at most 1,600 px wide and centred. */
const content = `(() => {
  const { scrollWidth, clientWidth } = document.querySelector('.content');
  return [scrollWidth, Math.min(clientWidth, 1600)];
})()`;
/** Requests the CSV address of each list on the page. */
const lists = `Promise.all(Array.from(document.querySelectorAll('a[href*="format=csv"]'), async ({ href }) => {
  const { status, headers } = await fetch(href);
  return [href, status, headers.get('content-type')];
}))`;

/** Marks truncated elements on the page; returns their kinds. */
const markCut = `Array.from(document.body.querySelectorAll('*'), (it) => {
  const { overflow, textOverflow, webkitLineClamp } = getComputedStyle(it);
  const isCutting = overflow === 'hidden' && (textOverflow === 'ellipsis' || webkitLineClamp !== 'none');
  const isClamped = webkitLineClamp !== 'none' && it.scrollHeight > it.clientHeight + 1;
  const isCut = isClamped || it.scrollWidth > it.clientWidth;
  if (!isCutting || !isCut || it.matches('input') || !it.checkVisibility()) return [];
  const kind = it.tagName + ' ' + it.className;
  it.dataset.cut = kind;
  return [kind];
}).flat()`;
const known = new Set<string>();

/** A tooltip must show the whole of each truncated text; one element of each kind is checked. */
async function faultsOfCut(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const kind of new Set(await page.evaluate<string[]>(markCut)).difference(known)) {
    known.add(kind);
    const cut = page.locator(`[data-cut="${kind}"]`).first();
    await cut.hover({ force: true });
    const whole = (await cut.textContent())!.slice(0, 300);
    const isTold = await page.getByRole('tooltip').filter({ hasText: whole }).waitFor({ timeout: 3_000 })
      .then(() => true, () => false);
    if (!isTold) faults.push(`no hint tells the whole of ${kind}: ${whole.slice(0, 80)}`);
  }
  await page.mouse.move(0, 0);
  return faults;
}

/** Waits until nothing loads or moves. The page's content policy forbids polling inside the page. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const isWhole = async () => await page.getByRole('status').count() === 0;
  await until(isWhole, { within: 30_000, what: 'the screen is whole' });
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
}

/** Serious and critical violations (axe-core). */
async function violations(page: Page, options: object): Promise<readonly Violation[]> {
  if (!await page.evaluate('"axe" in window')) await page.evaluate(axe);
  const shown = '({ id, impact, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) })';
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})
      .then(({ violations }) => violations.map(({ id, impact, nodes }) => (${shown})))`,
  );
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}
