import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Page, until } from '@platform/testing';
import type { Visitor } from './visitor.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** What is wrong with a screen and its tabs: for those who cannot see it, on a phone, with hostile texts. */
export async function faultsOf(visitor: Visitor, path: string): Promise<string[]> {
  const { page } = visitor;
  const faults: string[] = [];
  await page.setViewportSize({ width: 1280, height: 900 });
  await visitor.go(path);
  const tabs = await page.getByRole('tab').allTextContents();
  for (const tab of tabs.length === 0 ? [undefined] : tabs) {
    if (tab !== undefined) await visitor.click(tab, 'tab');
    await settled(page);
    const note = (fault: string) => faults.push(`${path}${tab === undefined ? '' : ` (${tab})`}: ${fault}`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      for (const { id, nodes } of await violations(page)) note(`${colorScheme} ${id}: ${JSON.stringify(nodes[0])}`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (wide > width) note(`${wide} px wide at ${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    if (await page.evaluate('window.hostile') !== undefined) note('a text was executed');
  }
  return faults;
}

/** Waits until nothing is loading, and nothing moves. The page's policy allows no polling inside it. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const isWhole = async () => await page.getByRole('status').count() === 0;
  await until(isWhole, { within: 30_000, what: 'the screen is whole' });
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
}

/** Serious and critical ones (axe-core). */
async function violations(page: Page): Promise<readonly Violation[]> {
  if (!await page.evaluate('"axe" in window')) await page.evaluate(axe);
  const shown = '({ id, impact, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) })';
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] })
      .then(({ violations }) => violations.map(({ id, impact, nodes }) => (${shown})))`,
  );
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}
