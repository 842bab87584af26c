import { readFileSync } from 'node:fs';
import { type Browser, findChromium, type Page, type ProofOptions, type ProofResult } from '@platform/testing';
import { settled } from '../src/console/look.ts';
import { type Task, tasksOf, type TraceEvent } from '../src/console/main-thread.ts';
import { openVisitor, type Visitor } from '../src/console/visitor.ts';
import { seed } from '../src/seeding.ts';
import { startUsageWorld } from '../src/usage/usage-world.ts';

export const name = 'console-lists';
export const describe = 'In a tab of the console, usage of 100,000 objects and lists of 10,000 contracts and users are '
  + 'scrolled to their ends: no task runs for more than 200 ms on the main thread, and the tab has at most 300 MB.';
export const servers = true;

const wholeObjects = 100_000;
const wholeRows = 10_000;
const longestTaskMs = 200;
const mostMegabytes = 300;
/** Number of wheel moves from the start to the end of a scrolled area. */
const moves = 60;

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  const start = await findChromium();
  if (start === undefined) return { figure: 'there is no Chromium here (Debian: chromium)', holds: undefined };
  await using world = await startUsageWorld();
  const rows = Math.max(200, Math.round(wholeRows * share));
  const objects = Math.max(500, Math.round(wholeObjects * share));
  const few = ['--clusters', '1', '--members', '1'];
  const many = ['--users', String(rows), '--organizations', '10', '--contracts', String(Math.ceil(rows / 10))];
  await seed(world.platform, ...many, ...few, '--seed', 'many');
  const one = ['--users', '10', '--organizations', '1', '--contracts', '1', '--objects', String(objects)];
  await seed(world.platform, ...one, ...few, '--seed', 'objects');
  report(`${rows} users and contracts, ${objects} objects are there`);

  const usage = '/orgs/seed-objects-organization-1/usage';
  const screens: readonly (readonly [string, string, ((visitor: Visitor) => Promise<void>)?])[] = [
    ['contracts', '/site/contracts'],
    ['users', '/site/users'],
    ['usage', usage],
    ['objects', usage, async ({ page }) => {
      await page.getByText('Objects', { exact: true }).first().click();
      await page.locator('.rows[data-many]').waitFor();
    }],
  ];
  const figures: string[] = [];
  const counterexamples: string[] = [];
  const browser = await start();
  try {
    for (const [screen, path, open] of screens) {
      const visitor = await openVisitor(browser, world.siteAdmin, { baseUrl: world.platform.baseUrl });
      await visitor.go(path);
      await settled(visitor.page);
      await open?.(visitor);
      await settled(visitor.page);
      const { tasks, seen } = await scroll(browser, visitor.page);
      const megabytes = await memoryOf(browser, visitor.page);
      const most = (of: (task: Task) => number) =>
        Math.round(tasks.reduce((longest, one) => Math.max(longest, of(one)), 0));
      // Use the CPU time of the tasks: their duration includes waiting for other processes.
      const longest = most(({ own }) => own);
      const figure = `${screen}: ${seen} px scrolled, longest task ${longest} ms (${most(({ clock }) => clock)} ms by the `
        + `clock), tab ${megabytes} MB`;
      report(figure);
      figures.push(figure);
      if (longest > longestTaskMs || megabytes > mostMegabytes) counterexamples.push(figure);
      counterexamples.push(...visitor.faults.map((fault) => `${screen}: ${fault}`));
      await visitor.page.context().close();
    }
  } finally {
    await browser.close();
  }
  return { figure: figures.join('; '), holds: counterexamples.length === 0, counterexamples };
}

/** Scrolls the page to its end, then the list in it. Returns the tasks meanwhile and the number of scrolled pixels. */
async function scroll(browser: Browser, page: Page): Promise<{ tasks: readonly Task[]; seen: number }> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  let seen = 0;
  for (const frame of ['document.scrollingElement', 'document.querySelector(".rows[data-many]")']) {
    const far = await page.evaluate<number>(`(${frame}?.scrollHeight ?? 0) - (${frame}?.clientHeight ?? 0)`);
    if (far <= 0) continue;
    if (frame !== 'document.scrollingElement') await page.locator('.rows[data-many]').hover();
    for (let move = 0; move < moves; move += 1) {
      await page.mouse.wheel(0, Math.ceil(far / moves));
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    }
    seen += await page.evaluate<number>(`Math.round(${frame}.scrollTop)`);
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const tasks = tasksOf(traceEvents);
  if (tasks.length === 0) throw new Error('the trace shows no task of a page');
  return { tasks, seen };
}

/** Memory of the only tab's process, in MB, after a garbage collection. */
async function memoryOf(browser: Browser, page: Page): Promise<number> {
  const tab = await page.context().newCDPSession(page);
  await tab.send('HeapProfiler.collectGarbage');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const kilobytes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) =>
    Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))![1]));
  return Math.round(Math.max(...kilobytes) * 1_024 / 1_000_000);
}
