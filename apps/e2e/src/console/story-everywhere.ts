import { deepEqual, equal } from 'node:assert/strict';
import { grpcServices } from '@platform/service';
import { freePort, type Page, type ServiceSettings, startService } from '@platform/testing';
import { codeIn } from '../orgs/browser.ts';
import type { ConsoleWorld } from './console-world.ts';
import { settled } from './look.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** A link into the console that is opened while signed out leads to its page, with its query, after the sign-in. */
export async function deepLinksSurvive({ owner, platform: { baseUrl }, smtp, visit }: ConsoleWorld): Promise<void> {
  const link = '/orgs/acme/teams?from=mail';
  const byToken = await visit(undefined);
  await byToken.go(link);
  await byToken.type('Access token', owner.token);
  await byToken.click('Sign in');
  await heading(byToken.page, 'Teams').waitFor();
  equal(byToken.page.url(), baseUrl + link);

  const byMail = await visit(undefined);
  // Requesting the link sets a cookie, so the console asks who is signed in.
  byMail.expectsRefusal(/\/auth\/session$/, 401);
  await byMail.go(link);
  await byMail.type('E-mail address', 'olivia@example.org');
  await byMail.click('Mail me a link');
  await byMail.sees('Look at your mailbox');
  const tab = await byMail.secondTab();
  await tab.goto(`${baseUrl}/sign-in#mail=${await codeIn(smtp, 'olivia@example.org', 'mail')}`);
  await heading(tab, 'Teams').waitFor();
  equal(tab.url(), baseUrl + link);
}

/** Typed text in forms and searches survives back, forward, reload, and a sign-out in a second tab. */
export async function nothingTypedIsLost({ owner, siteAdmin, visit }: ConsoleWorld): Promise<void> {
  const olivia = await visit(owner);
  const { page } = olivia;
  const dialog = page.getByRole('dialog', { name: 'New team' });
  const typed = async () => {
    const fields = ['Name', 'Description'].map((label) => dialog.getByLabel(new RegExp(`^${label}`)));
    return await Promise.all(fields.map((field) => field.inputValue()));
  };
  await olivia.click(/Acme Works/, 'link');
  await olivia.click('Teams', 'link');
  await olivia.click('New team');
  await olivia.type('Name', 'Thinkers');
  await olivia.type('Description', 'Half a thought');
  await page.goBack();
  await page.goForward();
  await olivia.click('New team');
  deepEqual(await typed(), ['Thinkers', 'Half a thought']);
  await page.reload();
  await olivia.click('New team');
  deepEqual(await typed(), ['Thinkers', 'Half a thought']);

  const tab = await olivia.secondTab();
  await tab.goto(page.url());
  await tab.getByRole('button', { name: /^Account of/ }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await tab.getByLabel('Access token').waitFor();
  olivia.expectsRefusal(/./, 401);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await olivia.sees('Your session has ended');
  await page.keyboard.press('Escape');
  deepEqual(await typed(), ['Thinkers', 'Half a thought']);
  await olivia.type('Access token', owner.token);
  await olivia.click('Sign in');
  await page.getByText('Your session has ended').waitFor({ state: 'hidden' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await heading(page, 'Thinkers').waitFor();

  const sam = await visit(siteAdmin);
  const search = sam.page.getByLabel('Search users');
  await sam.click('Users', 'link');
  await search.fill('olivia');
  await sam.page.getByRole('row').filter({ hasText: 'olivia@example.org' }).waitFor();
  await sam.click('Presentation', 'link');
  const name = sam.page.getByLabel('Name', { exact: true });
  await name.fill('Half a name');
  await sam.page.goBack();
  await heading(sam.page, 'Users').waitFor();
  equal(await search.inputValue(), 'olivia');
  await sam.page.goForward();
  await heading(sam.page, 'Presentation').waitFor();
  await sam.page.reload();
  await name.waitFor();
  equal(await name.inputValue(), 'Half a name');
  // A search lasts for one visit of the screen.
  await sam.click('Users', 'link');
  equal(await search.inputValue(), '');
}

/** Every spinner has a text, while reading as well as while changing something. */
export async function waitingIsInWords({ owner, visit }: ConsoleWorld): Promise<void> {
  const olivia = await visit(owner);
  const readings = await olivia.holdBack('GET', /^\/api\/v1\/orgs\/acme\/teams$/);
  await olivia.go('/orgs/acme/teams');
  await olivia.sees('Still waiting for teams …');
  readings();
  await olivia.page.getByRole('row').filter({ hasText: 'Viewers' }).waitFor();

  const changes = await olivia.holdBack('POST', /^\/api\/v1\/orgs\/acme\/teams$/);
  await olivia.click('New team');
  await olivia.type('Name', 'Waiters');
  await olivia.page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  const words = olivia.page.getByText('Still waiting for the platform …');
  await words.waitFor();
  changes();
  await heading(olivia.page, 'Waiters').waitFor();
  await words.waitFor({ state: 'hidden' });
}

/** Menu entries of every deployment, and of some. */
const you = ['Start', 'Account'];
const organization = [
  'Overview', 'Teams', 'Members', 'Roles', 'Tokens', 'Webhooks', 'Audit', 'Explain', 'Clusters', 'Metrics',
];
const site = ['Clients', 'Users', 'Organizations', 'Webhooks', 'Audit', 'Operations', 'Presentation'];
const ofContracts = [
  '/account/contracts', '/account/licences', '/orgs/acme/contracts', '/orgs/acme/licences', '/site/contracts',
];
const ofBilling = ['/orgs/acme/usage', '/orgs/acme/client-billing', '/site/licensed', '/site/outages'];
const menus = [
  {
    settings: { 'deployment.type': 'ProviderAMarketplace' },
    offered: [you, organization, ['Subscriptions', ...site]],
    lacking: [...ofContracts, ...ofBilling],
  },
  {
    settings: { 'billing.enabled': 'false' },
    offered: [
      [...you, 'My contracts', 'My licences'], [...organization, 'Contracts', 'Licences'], ['Contracts', ...site],
    ],
    lacking: [...ofBilling, '/site/subscriptions'],
  },
] satisfies readonly { settings: ServiceSettings; offered: string[][]; lacking: string[] }[];

/** A deployment without some routes has no menu entries and no pages for them; all screens that it offers are whole. */
export async function deploymentsLackMenus({ platform, siteAdmin, visit }: ConsoleWorld): Promise<void> {
  for (const { settings, offered, lacking } of menus) {
    const port = String(await freePort());
    await using gateway = await startService('gateway', {
      ...platform.settings.metricsproxy,
      ...Object.fromEntries(grpcServices.map(({ name, addresses }) => [addresses, platform.grpc[name]])),
      'http.port': port, ...settings,
    });
    const sam = await visit(siteAdmin, { baseUrl: `http://${gateway.addresses['http']!}` });
    await sam.go('/orgs/acme');
    const entries = sam.page.getByRole('navigation').first().getByRole('link');
    await entries.filter({ hasText: 'Presentation' }).waitFor();
    await settled(sam.page);
    deepEqual(await entries.allTextContents(), offered.flat());
    const paths = await Promise.all((await entries.all()).map(async (link) => await link.getAttribute('href') ?? ''));
    // Visit the screens of the organization first, because its menu disappears elsewhere.
    const isOfOrganization = (path: string) => path.startsWith('/orgs/');
    for (const path of [...paths.filter(isOfOrganization), ...paths.filter((path) => !isOfOrganization(path))]) {
      await sam.page.getByRole('navigation').first().locator(`a[href="${path}"]`).click();
      await settled(sam.page);
      equal(await sam.page.getByRole('button', { name: 'Copy details' }).count(), 0, path);
    }
    for (const path of lacking) {
      await sam.go(path);
      await heading(sam.page, 'There is no such page').waitFor();
    }
  }
}

/** With the keyboard alone, a person signs in, makes an organization, invites a user, and adds a user to a team. */
export async function keyboardAlone(world: ConsoleWorld): Promise<void> {
  const [kim] = [await world.person('kim'), await world.person('kay-keys')];
  const { page } = await world.visit(undefined);
  const { keyboard } = page;
  const focused = () => page.evaluate<[name: string, isSeen: boolean]>(`(() => {
    const it = document.activeElement;
    const labels = [...(it.labels ?? [])].map(({ textContent }) => textContent);
    const name = it.getAttribute('aria-label') ?? (labels.length > 0 ? labels.join(' ') : it.textContent);
    return [name.replace(/ \\*$/, '').trim(), it.matches(':focus-visible')];
  })()`);
  /** Presses Tab until the element with this name has the focus. Expects the focus to be visible. */
  const reach = async (name: string) => {
    for (let presses = 0; presses < 120; presses += 1) {
      await keyboard.press('Tab');
      const [found, isSeen] = await focused();
      if (found === name) return equal(isSeen, true, `${name} does not show that it has the focus`);
    }
    throw new Error(`${name} is not reached by Tab`);
  };
  const press = async (name: string) => {
    await reach(name);
    await keyboard.press('Enter');
  };
  const type = async (name: string, text: string) => {
    await reach(name);
    await keyboard.type(text);
  };
  const choose = async (name: string, text: string) => {
    await type(name, text);
    await page.getByRole('option', { name: text }).first().waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
  };

  await type('Access token', kim.token);
  await keyboard.press('Enter');
  await heading(page, 'Welcome, kim').waitFor();
  await press('New organization');
  await type('Name', 'keys');
  await keyboard.press('Enter');
  await heading(page, 'keys').waitFor();
  await press('Members');
  await heading(page, 'Members').waitFor();
  await press('Invite somebody');
  await type('E-mail', 'guest@example.org');
  await choose('Team', 'Viewers');
  await press('Invite');
  await page.getByText('The mail is on its way').waitFor();
  await press('Teams');
  await heading(page, 'Teams').waitFor();
  await press('Viewers');
  await heading(page, 'Viewers').waitFor();
  await press('Add somebody');
  await choose('Person', 'kay-keys');
  await press('Add');
  await page.getByText('kay-keys@example.org').waitFor();
}
