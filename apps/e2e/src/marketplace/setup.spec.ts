import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fakeProvider, type FakeProvider, fakeProviderA, until } from '@platform/testing';
import { outcome } from '../orgs/world.ts';
import { startSubscriptionWorld, type SubscriptionWorld } from './subscription-world.ts';

const base = '/api/v1/dashboard/marketplaces';
const token = 'token-of-a-site-admin-there';

const stack = new AsyncDisposableStack();
const asked: string[] = [];
let hosted: FakeProvider;
let world: SubscriptionWorld;
beforeAll(async () => {
  const provider = stack.use(await fakeProviderA());
  hosted = stack.use(await fakeProvider(({ method, url, headers }) => {
    asked.push(`${method} ${url}`);
    return { status: headers.authorization === `Bearer ${token}` ? 200 : 401 };
  }, { 500: {}, 429: {} }));
  world = stack.use(await startSubscriptionWorld('A', { settings: {
    'marketplace.providera.rangesURL': provider.settings['marketplace.providera.rangesURL'],
    'marketplace.providera.allowedCIDRs': '', 'marketplace.alertEmails': '',
  } }));
}, 120_000);
afterAll(() => stack.disposeAsync());

const ping = async (marketplace: string, id: string) =>
  outcome(await world.siteAdmin.http.get(`${base}/${marketplace}/${id}/ping?org=administration`));
const installer = async (marketplace: string, url: string, given = token) =>
  (await world.installer(marketplace, url === '' ? {} : { meteringUrl: url, meteringToken: given })).subscriptionId!;

it('pings the readiness of the platform of a subscription', async () => {
  const [a, c] = [await installer('ProviderA', hosted.url), await installer('ProviderC', `${hosted.url}/`)];
  const answer = await world.siteAdmin.http.get(`${base}/ProviderA/${a}/ping?org=administration`);
  expect([answer.status, answer.text, answer.header('content-length')]).toEqual([200, '', '0']);
  expect(await ping('ProviderC', c)).toBe('200');
  expect(asked).toEqual(['a', 'c'].map((provider) =>
    `GET /api/v1/proxy/metered-billing/marketplaces/provider${provider}/check/readiness`));
});

it('says why there is no answer', async () => {
  const ready = await installer('ProviderA', hosted.url);
  expect(await ping('ProviderC', ready)).toBe('400 subscription_not_found');
  expect(await ping('providera', ready)).toBe('400 subscription_not_found');
  expect(await ping('ProviderA', '00000000000000000000')).toBe('400 subscription_not_found');
  expect(await ping('ProviderA', await installer('ProviderA', ''))).toBe('400 invalid_value');
  expect(await ping('ProviderA', await installer('ProviderA', hosted.url, 'another-token'))).toBe('502 bad_upstream');
  expect(await ping('ProviderA', await installer('ProviderA', 'http://127.0.0.1:9'))).toBe('502 bad_upstream');
});

it('lets nobody but site admins ask', async () => {
  const stranger = await world.person();
  for (const path of [`ProviderA/${'0'.repeat(20)}/ping`, 'settings/warnings']) {
    expect((await stranger.http.get(`${base}/${path}?org=administration`)).status).not.toBe(200);
    expect((await world.nobody.get(`${base}/${path}?org=administration`)).status).toBe(401);
    expect(outcome(await world.siteAdmin.http.get(`${base}/${path}`))).toBe('400 missing_org');
  }
});

it('warns of what is missing', async () => {
  const warnings = async () => {
    const answer = await world.siteAdmin.http.get(`${base}/settings/warnings?org=administration`);
    return answer.json<{ warnings: Record<string, { Level: string; Msg: string }[]> }>().warnings;
  };
  // The address list comes soon after the start.
  await until(async () => (await warnings())['ProviderA']!.length === 2, { within: 30_000, what: 'the list is fetched' });
  expect(await warnings()).toEqual({ ProviderA: [
    { Level: 'error', Msg: expect.stringContaining('product code') },
    { Level: 'info', Msg: expect.stringContaining('alertEmails') },
  ] });
});

it('takes notifications from the published ranges, and from nowhere else', async () => {
  const { installerId } = await world.installer('ProviderA');
  const body = { bindingInfo: { marketplace: 'ProviderA', installerId, clusterId: randomUUID() } };
  for (const source of ['198.51.100.7', '192.0.3.1', '2001:db9::1']) {
    expect(outcome(await world.notifyA(body, source))).toBe('403 source_denied');
  }
  for (const source of ['192.0.2.9', '::ffff:192.0.2.9', '2001:db8::1']) {
    expect((await world.notifyA(body, source)).status).toBe(200);
  }
});
