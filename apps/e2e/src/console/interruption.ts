import { deepEqual } from 'node:assert/strict';
import { type Page, until } from '@platform/testing';
import type { Host, RunningPlatform } from '../platform.ts';
import { settled } from './look.ts';
import type { Act, Visitor } from './visitor.ts';

/** Texts of the console for an unavailable part; the second one is for a failed change, which it does not repeat. */
const namesAway = /cannot be reached now|could not be searched/;
const namesChange = 'This part cannot be reached now';

/** The console does not request data again that is younger than this (`staleTime` in its `api/client.ts`). */
const freshMs = 10_000;
const shownEverywhere = '/user/orgs';

/** A service to kill before an act of a story; acts count from 1. */
export interface Kill {
  readonly service: Host | 'gateway';
  readonly act: number;
}

/**
 * Counts the acts of a story. At one of them it kills a service (SIGKILL), and starts it again after the act was tried.
 * Meanwhile the page must name the unavailable service and keep typed text; afterwards it must read the data again
 * without help. If the console reports that the act failed, the act is repeated.
 */
export class Interruption {
  acts = 0;
  /** Whether a second tab at the same address had to name the unavailable part. */
  wasNamed = false;
  /** Whether the act failed and was repeated. */
  wasInVain = false;
  readonly #services: RunningPlatform['services'];
  readonly #kill: Kill | undefined;
  #secondTab: Promise<void> = Promise.resolve();

  constructor(services: RunningPlatform['services'], kill: Kill | undefined) {
    this.#services = services;
    this.#kill = kill;
  }

  readonly around = async (visitor: Visitor, act: Act): Promise<void> => {
    this.acts += 1;
    await (this.acts === this.#kill?.act ? this.#interrupt(visitor, act, this.#kill) : act.perform());
  };

  /** Waits until the second tab has recovered. */
  readonly end = async () => this.#secondTab;

  async #interrupt(visitor: Visitor, act: Act, { service }: Kill): Promise<void> {
    const { page } = visitor;
    const [replica] = this.#services[service].replicas;
    // Kill the service while the form is half filled.
    const isTyping = ['type', 'tag', 'choose'].includes(act.kind);
    if (isTyping) {
      await act.perform();
      await settled(page);
    }
    const isTried = !isTyping && await canBeTried(act, service);
    const typed = await typedIn(page);
    let acting: Promise<void> | undefined;
    let tab: Page | undefined;
    visitor.expectsAway(true);
    try {
      await replica.kill();
      if (isTried) acting = noted(act.perform());
      // Without the gateway no page can be loaded.
      if (service !== 'gateway') {
        tab = await visitor.secondTab();
        this.wasNamed = await isNamedIn(tab, page.url());
      }
      if (isTyping && (this.wasNamed || service === 'gateway')) await comeBackTo(page);
      if (act.kind === 'confirm') await answered(page, acting!);
      if (isTyping || await isInVain(page)) deepEqual(await typedIn(page), typed);
    } finally {
      await replica.restart();
      // All services run again, so each request must succeed.
      visitor.expectsAway(false);
    }
    if (tab !== undefined) this.#secondTab = noted(whole(tab));
    if (isTyping) {
      await whole(page);
      deepEqual(await typedIn(page), typed);
    } else {
      await (acting === undefined ? act.perform() : this.#again(page, act, acting));
    }
  }

  /** Repeats the act until the console no longer reports a failure. */
  async #again(page: Page, act: Act, acting: Promise<void>): Promise<void> {
    await until(async () => {
      if (act.kind === 'confirm') await answered(page, acting);
      if (await isTrying(page)) return false;
      if (!await isInVain(page)) return true;
      this.wasInVain = true;
      const retry = sayingInVain(page).getByRole('button', { name: 'Try again' });
      const pressed = await retry.count() > 0 ? retry : act.clicked;
      await Promise.all([page.waitForRequest(() => true), pressed === undefined ? act.perform() : pressed.click()]);
      return false;
    }, { within: 30_000, what: 'the act is not in vain' });
    await acting;
  }
}

/** Prevents an unhandled rejection before the promise is awaited. */
function noted(promise: Promise<void>): Promise<void> {
  promise.catch(() => undefined);
  return promise;
}

/** Whether the console itself handles the act. The browser alone loads links to files and to other pages. */
async function canBeTried({ kind, clicked }: Act, service: Kill['service']): Promise<boolean> {
  if (kind === 'go') return service !== 'gateway';
  await clicked?.waitFor();
  const link = await clicked?.getAttribute('href') ?? '';
  return !/\/(?:api|auth)\/|^blob:/.test(link);
}

/** Values of all fields; for files, their names. */
function typedIn(page: Page): Promise<string[]> {
  const value = '(field) => (["checkbox", "radio"].includes(field.type) ? String(field.checked) : field.value)';
  return page.evaluate<string[]>(`Array.from(document.querySelectorAll('input, textarea'), ${value})`);
}

/** Opens the address in a tab. Returns whether data is missing; if so, the page must say so in words. */
async function isNamedIn(tab: Page, address: string): Promise<boolean> {
  let lacks = false;
  tab.on('response', (response) => (lacks ||= response.status() >= 502));
  // Without the fragment, because a sign-in link works only once.
  await tab.goto(address.split('#')[0]!, { waitUntil: 'networkidle' });
  await until(async () => await naming(tab).count() > 0 || (!lacks && await tab.getByRole('status').count() === 0), {
    within: 30_000, what: `the second tab names what is away at ${address}`,
  });
  return lacks;
}

const naming = (page: Page) => page.getByText(namesAway).filter({ visible: true });

/**
 * Focuses a tab repeatedly, like a person who returns from another window, until a request has failed or the page has
 * requested all its data again. Without a session the page has no data to request.
 */
async function comeBackTo(page: Page): Promise<void> {
  if (await page.locator('nav').count() === 0) return;
  const begun = performance.now();
  const open = new Set<unknown>();
  let hasFailed = false;
  let asksForAll = false;
  page.on('request', (request) => {
    // Every screen shows the organizations, and the console requests all stale data together.
    asksForAll ||= performance.now() - begun > freshMs && request.url().endsWith(shownEverywhere);
    open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => {
    open.delete(request);
    hasFailed = true;
  });
  page.on('response', (response) => (hasFailed ||= response.status() >= 502));
  const hasAsked = async () => {
    await page.evaluate('dispatchEvent(new Event("visibilitychange"))');
    return hasFailed || (asksForAll && open.size === 0);
  };
  await until(hasAsked, { within: 60_000, every: 500, what: 'the screen asks' });
}

/** Whether a button shows that its change is in progress. */
const isTrying = async (page: Page) => await page.locator('[data-loading]').count() > 0;
const sayingInVain = (page: Page) => page.getByRole('alert').filter({ hasText: namesChange, visible: true });
const isInVain = async (page: Page) => !await isTrying(page) && await sayingInVain(page).count() > 0;

/** Waits until a dialog is closed or reports that its change failed. */
async function answered(page: Page, acting: Promise<void>): Promise<void> {
  let isDone = false;
  const done = acting.then(() => (isDone = true));
  const isAnswered = async () => isDone || await isInVain(page);
  await Promise.race([done, until(isAnswered, { within: 30_000, what: 'the dialog is answered' })]);
}

/** Waits until the page has read all its data again. */
async function whole(page: Page): Promise<void> {
  await until(async () => await naming(page).count() === 0, { within: 60_000, what: 'the page reads again by itself' });
  await settled(page);
}
