import type { Browser, Locator, Page } from '@platform/testing';
import type { Person } from '../orgs/world.ts';

/** A person with a separate browser, and the problems that the browser reported. */
export interface Visitor {
  readonly page: Page;
  /** Violations of the content policy, errors in the console, requests to other hosts, unexpected refusals. */
  readonly faults: string[];
  /** Goes to a screen by its address. */
  go(path: string): Promise<void>;
  /** Clicks the element with this name. */
  click(name: string | RegExp, role?: 'button' | 'link' | 'menuitem' | 'tab' | 'option' | 'radio'): Promise<void>;
  /** Types into fields, clicks a button of the open dialog, and waits until the dialog is closed. */
  confirm(verb: string, ...fields: readonly Field[]): Promise<void>;
  /** Clicks a button that opens a dialog, and confirms the dialog. */
  submit(button: string, verb: string, ...fields: readonly Field[]): Promise<void>;
  /** Types into the field with this label. */
  type(label: string | RegExp, text: string): Promise<void>;
  /** Types words into a field with several values. */
  tag(label: string, ...words: readonly string[]): Promise<void>;
  /** Chooses options of a field. */
  choose(label: string, ...options: readonly (string | RegExp)[]): Promise<void>;
  /** Opens the menu of the row with this text, and chooses an action. */
  inRow(text: string, action: string): Promise<void>;
  /** Waits until the page shows a text; a string must match the whole text. */
  sees(text: string | RegExp): Promise<void>;
  /** Expects a refusal with this path and status, so that it is not reported as a fault. */
  expectsRefusal(path: RegExp, status: number): void;
  /** Permits requests to another host in this story. */
  expectsHost(origin: string): void;
  /** Blocks requests with this path until the returned function is called. */
  cutOff(path: RegExp): Promise<() => Promise<void>>;
  /** Holds back answers to requests with this method and path until the returned function is called. */
  holdBack(method: string, path: RegExp): Promise<() => void>;
  /** Sets whether a part is unavailable now. Failed answers to requests made meanwhile are no faults. */
  expectsAway(isAway: boolean): void;
  /** A second tab of the same browser, watched like the first. */
  secondTab(): Promise<Page>;
}

type Field = readonly [label: string | RegExp, text: string];

/** One action of a person that can change a page; actions that only look at a page do not count. */
export interface Act {
  readonly kind: 'go' | 'click' | 'confirm' | 'type' | 'tag' | 'choose' | 'inRow';
  /** The clicked element, if the act clicks an element by its name. */
  readonly clicked?: Locator;
  perform(): Promise<void>;
}

const patience = 30_000;

export interface VisitorOptions {
  readonly baseUrl: string;
  /** Performs each act of the story, and may do more around it. */
  readonly around?: (visitor: Visitor, act: Act) => Promise<void>;
}

/** Opens the console for a person, who signs in with a token; without a person, the sign-in is shown. */
export async function openVisitor(
  browser: Browser, person: Pick<Person, 'token'> | undefined,
  { baseUrl, around = (_, { perform }) => perform() }: VisitorOptions,
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce', locale: 'en-GB',
    acceptDownloads: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const faults: string[] = [];
  const expected: Expected = { refusals: [], hosts: [baseUrl], isAway: false };
  watch(page, faults, expected);
  const at = (locator: Locator) => locator.filter({ visible: true }).first();
  // A dialog comes last in the document.
  const field = (label: string | RegExp) => page.getByLabel(typeof label === 'string' ? labelled(label) : label)
    .filter({ visible: true }).last();
  const dialog = page.getByRole('dialog').filter({ visible: true }).last();
  const inDialog = (verb: string) => dialog.getByRole('button', { name: verb, exact: true });
  const named = (name: string | RegExp, role: Parameters<Page['getByRole']>[0]) =>
    at(page.getByRole(role, { name, exact: typeof name === 'string' }));
  const alone: Omit<Visitor, 'submit'> = {
    page, faults,
    go: async (path) => {
      await page.goto(baseUrl + path);
      await at(page.getByRole('heading', { level: 1 })).waitFor();
    },
    click: (name, role = 'button') => named(name, role).click(),
    confirm: async (verb) => {
      const open = await dialog.elementHandle();
      await inDialog(verb).click();
      await open!.waitForElementState('hidden');
    },
    type: async (label, text) => {
      await rested(page);
      await field(label).fill(text);
    },
    tag: async (label, ...words) => {
      await rested(page);
      for (const word of words) {
        await field(label).fill(word);
        await field(label).press('Enter');
      }
    },
    choose: async (label, ...options) => {
      await rested(page);
      await field(label).click();
      for (const name of options) await alone.click(name, 'option');
      // The list of a field with several values stays open.
      await field(label).press('Tab');
    },
    inRow: async (text, action) => {
      await at(page.getByRole('row').filter({ hasText: text }).getByRole('button', { name: 'Actions' })).click();
      await alone.click(action, 'menuitem');
    },
    sees: (text) => at(page.getByText(text, { exact: typeof text === 'string' })).waitFor(),
    expectsRefusal: (path, status) => void expected.refusals.push({ path, status }),
    expectsHost: (origin) => void expected.hosts.push(origin),
    cutOff: async (path) => {
      const isOf = ({ pathname }: URL) => path.test(pathname);
      await page.route(isOf, (route) => route.abort());
      return () => page.unroute(isOf);
    },
    holdBack: async (method, path) => {
      const held = Promise.withResolvers<void>();
      await page.route(({ pathname }) => path.test(pathname), async (route) => {
        if (route.request().method() === method) await held.promise;
        await route.fallback();
      });
      return held.resolve;
    },
    expectsAway: (isAway) => void (expected.isAway = isAway),
    secondTab: async () => {
      const tab = await context.newPage();
      watch(tab, faults, expected);
      return tab;
    },
  };
  await page.goto(baseUrl);
  if (person !== undefined) {
    await alone.type('Access token', person.token);
    await alone.click('Sign in');
    await at(page.getByRole('navigation')).waitFor();
  }
  await at(page.getByRole('heading', { level: 1 })).waitFor();
  const act = (kind: Act['kind'], perform: Act['perform'], clicked?: Locator) =>
    around(visitor, { kind, perform, ...(clicked && { clicked }) });
  const visitor: Visitor = {
    ...alone,
    go: (path) => act('go', () => alone.go(path)),
    click: (name, role = 'button') => act('click', () => alone.click(name, role), named(name, role)),
    confirm: async (verb, ...fields) => {
      for (const [label, text] of fields) await visitor.type(label, text);
      await act('confirm', () => alone.confirm(verb), inDialog(verb));
    },
    submit: async (button, verb, ...fields) => {
      await visitor.click(button);
      await visitor.confirm(verb, ...fields);
    },
    type: (label, text) => act('type', () => alone.type(label, text)),
    tag: (label, ...words) => act('tag', () => alone.tag(label, ...words)),
    choose: (label, ...options) => act('choose', () => alone.choose(label, ...options)),
    inRow: (text, action) => act('inRow', () => alone.inRow(text, action)),
  };
  return visitor;
}

/** Waits for two frames: a dialog takes the focus by a timer after the frame that shows it (Mantine 9). */
async function rested(page: Page): Promise<void> {
  const frame = 'new Promise((done) => requestAnimationFrame(done))';
  await page.evaluate(`${frame}.then(() => ${frame}).then(() => new Promise((done) => setTimeout(done)))`);
}

/** Finds a field by its label; the label of a required field ends with a star. */
const labelled = (label: string) => new RegExp(`^${RegExp.escape(label)}(?: \\*)?$`);

/** Refusals and hosts that the story expects, so they are no faults. */
interface Expected {
  readonly refusals: { path: RegExp; status: number }[];
  readonly hosts: string[];
  isAway: boolean;
}

/** The gateway's answer for an unavailable service. */
const away = [502, 503, 504];

function watch(page: Page, faults: string[], expected: Expected): void {
  const { refusals, hosts } = expected;
  page.on('console', (message) => {
    // Chromium also logs each refused answer; these are reported below, with their path.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
    faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  /** Requests made while a part was unavailable. */
  const hopeless = new WeakSet<object>();
  page.on('request', (request) => {
    if (expected.isAway) hopeless.add(request);
    const url = request.url();
    if (!hosts.some((host) => url.startsWith(`${host}/`)) && !/^(?:data|blob|about):/.test(url)) faults.push(`another host: ${url}`);
  });
  page.on('response', (response) => {
    const status = response.status();
    const { pathname } = new URL(response.url());
    const isAway = expected.isAway || hopeless.has(response.request());
    if (status < 400 || (isAway && away.includes(status))) return;
    if (refusals.some((one) => one.status === status && one.path.test(pathname))) return;
    faults.push(`${status} ${response.request().method()} ${pathname}`);
  });
}

/** Saves a form whose object another person has changed: the other change is not overwritten. */
export async function saveTooLate(visitor: Visitor, path: RegExp): Promise<void> {
  visitor.expectsRefusal(path, 412);
  const dialog = visitor.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await visitor.sees('It was changed meanwhile');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
}

/** Text of a file that a click downloads. */
export async function downloaded({ page }: Visitor, click: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return { name: download.suggestedFilename(), body: Buffer.concat(chunks) };
}
