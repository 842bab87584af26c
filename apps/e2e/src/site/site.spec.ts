import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Browser, findChromium, repositoryRoot } from '@platform/testing';
import { operatorOf, specCall } from '../operator.ts';
import { organizationHosts, type RunningPlatform, startPlatform } from '../platform.ts';

const launch = await findChromium();
const inBrowser = launch === undefined ? it.skip : it;
if (launch === undefined) process.stdout.write('The site is not opened: there is no Chromium (Debian: chromium).\n');

let platform: RunningPlatform, browser: Browser | undefined;
beforeAll(async () => {
  // Nx keeps the site of unchanged pages.
  await promisify(execFile)(process.execPath, ['node_modules/nx/dist/bin/nx.js', 'build', 'site'], { cwd: repositoryRoot });
  platform = await startPlatform({ hosts: organizationHosts });
  browser = await launch?.();
}, 300_000);
afterAll(async () => browser?.close());

it('is served by the gateway, without scripts and styles in pages', async () => {
  for (const path of ['/docs/', '/docs/tutorials/', '/docs/tutorials/sell', '/docs/errors', '/docs/adr/']) {
    const page = await platform.http.get(path);
    expect([path, page.status, page.header('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
    expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style| style="|\/__platform-base__/);
  }
  const missing = await platform.http.get('/docs/nothing');
  expect([missing.status, missing.header('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

inBrowser('breaks no rule of its policy, asks no other host, and fits on a phone, in both looks', async () => {
  const wrong: string[] = [];
  for (const [width, colorScheme] of [[1280, 'light'], [1280, 'dark'], [390, 'light']] as const) {
    const context = await browser!.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    page.on('console', (message) => void (message.type() === 'error' && wrong.push(message.text())));
    page.on('pageerror', (error) => void wrong.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(platform.baseUrl) && !request.url().startsWith('data:')) wrong.push(request.url());
    });
    for (const path of ['/docs/', '/docs/architecture', '/docs/tutorials/install', '/docs/errors']) {
      await page.goto(platform.baseUrl + path, { waitUntil: 'networkidle' });
      const sideways = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      if (sideways !== 0) wrong.push(`${path} is ${String(sideways)} px too wide for ${width}`);
      const broken = await page.evaluate("[...document.images].filter((one) => one.complete && one.naturalWidth === 0).length");
      if (broken !== 0) wrong.push(`${path} has ${String(broken)} broken pictures`);
    }
    await context.close();
  }
  expect(wrong).toEqual([]);
}, 120_000);

inBrowser('is linked to from the sign-in and from the menu of a person', async () => {
  const page = await browser!.newPage();
  const open = async (role: 'link' | 'menuitem') => {
    await page.getByRole(role, { name: 'Documents', exact: true }).click();
    await page.waitForURL(`${platform.baseUrl}/docs/`);
    await page.locator('h1', { hasText: 'What Platform is for' }).waitFor();
  };
  await page.goto(`${platform.baseUrl}/`);
  await open('link');
  await using operator = await operatorOf(platform);
  const { code } = await operator.admin.createSignInLink({ user: 'platform-admin' }, specCall());
  await page.goto(`${platform.baseUrl}/sign-in#link=${code}`);
  await page.getByRole('button', { name: /^Account of / }).click();
  await open('menuitem');
  await page.close();
}, 60_000);

inBrowser('finds a page by its words, and opens it without a reload', async () => {
  const page = await browser!.newPage();
  await page.goto(`${platform.baseUrl}/docs/`, { waitUntil: 'networkidle' });
  await page.keyboard.press('Control+k');
  await page.fill('.VPLocalSearchBox input', 'sell a contract and issue');
  await page.locator('.VPLocalSearchBox a.result[href*="/docs/tutorials/sell"]').first().click();
  await page.waitForURL(/\/docs\/tutorials\/sell/);
  // The site changes the address before it shows the page.
  await page.locator('h1', { hasText: 'Sell a contract' }).waitFor();
  await page.close();
}, 60_000);
