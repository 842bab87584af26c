import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpAnswer, HttpClient } from '@platform/testing';
import sharp from 'sharp';
import { documentedHttp } from '../documented.ts';
import { specCall } from '../operator.ts';
import { organizationHosts } from '../platform.ts';
import { atOnce, oneOf, outcome, type Person, startWorld, type World } from './world.ts';

interface Branding { logo: string; favicons: Readonly<Record<string, string>>; [field: string]: unknown }

let world: World, admin: HttpClient;
/** Clients of two gateways, each with a different replica of orgs-teams. */
let replicas: readonly HttpClient[];
let owner: Person;
beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts, replicas: { 'orgs-teams': 2, gateway: 2 } });
  admin = world.siteAdmin.http;
  replicas = world.platform.services.gateway.replicas.map(({ addresses }) => documentedHttp(`http://${addresses['http']!}`));
  owner = await world.person('owner');
  await world.organization(owner, { username: 'acme' });
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const at = '/api/v1/branding?org=administration';
const domainsAt = '/api/v1/allowed-domains?org=administration';
const registrationAt = '/api/v1/disable-registration?org=administration';
const branding = async () => (await world.nobody.get('/api/v1/branding')).json<Branding>();
const brand = (json: unknown) => admin.post(at, { json });
const dataUri = (type: string, content: Buffer | string) => `data:${type};base64,${Buffer.from(content).toString('base64')}`;
const plain = (width: number, height = width) =>
  sharp({ create: { width, height, channels: 4, background: '#a0c0e0' } });
const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">${inner}</svg>`;
const bytesOf = (uri: string) => Buffer.from(uri.replace(/^data:[^,]*,/, ''), 'base64');
const pathsOf = (answer: HttpAnswer) => answer.json<{ errors: { path: string }[] }>().errors.map(({ path }) => path);

describe('GET /branding (spec §2.7, open-points 10)', () => {
  it('has the built-in pictures and defaults, and says what this deployment is', async () => {
    const { logo, favicons, ...rest } = await branding();
    expect(rest).toEqual({
      primaryColor: '#2563eb', runMode: 'dev', deploymentType: 'Hosted', isOfflineInstaller: false, showAppTag: true,
      appName: 'Platform',
    });
    expect(logo).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(await sizesOf(favicons)).toEqual({ '16x16': [16, 16], '32x32': [32, 32], '180x180': [180, 180] });
  });

  it('is the same for everybody, with any token', async () => {
    const answer = await world.as('0'.repeat(40)).get('/api/v1/branding');
    expect([answer.status, answer.header('cache-control')]).toEqual([200, 'no-cache']);
    expect(answer.header('etag')).toBe((await world.nobody.get('/api/v1/branding')).header('etag'));
  });

  it('answers 304 while nothing changed, by either validator', async () => {
    const answer = await world.nobody.get('/api/v1/branding');
    const headers = { 'If-None-Match': answer.header('etag')!, 'If-Modified-Since': answer.header('last-modified')! };
    for (const [name, value] of Object.entries(headers)) {
      const again = await world.nobody.get('/api/v1/branding', { headers: { [name]: value } });
      expect([again.status, again.body.length]).toEqual([304, 0]);
    }
  });
});

describe('POST /branding (spec §4.8, open-points 10)', () => {
  it('changes what is given, answers all of it, and "" is the default again', async () => {
    const change = { primaryColor: '#ABCdef', appName: 'Ümläut & Co', showAppTag: false };
    const changed = await brand(change);
    expect(changed.status).toBe(200);
    expect(changed.json()).toMatchObject(change);
    const cleared = await brand({ appName: null, primaryColor: '' });
    expect(cleared.json()).toMatchObject({ ...change, primaryColor: '#2563eb' });
    const back = await brand({ appName: '', showAppTag: true });
    expect(back.json()).toMatchObject({ appName: 'Platform', showAppTag: true });
  });

  it('is noted with who did it', async () => {
    await brand({ appName: 'Noted' });
    const question = { account: '', action: 'settings.update_branding', pageSize: 1, pageToken: '' };
    const { entries } = await world.operator.admin.listAudit(question, specCall());
    expect(entries[0]).toMatchObject({ actor: 'platform-admin', object: 'site:main' });
    await brand({ appName: '' });
  });

  it.each(['png', 'jpeg', 'gif'] as const)('takes a %s as logo and favicon, in either form', async (format) => {
    const picture = await plain(40, 20).toFormat(format).toBuffer();
    const answer = await brand({ logo: picture.toString('base64'), favicon: dataUri('image/whatever', picture) });
    expect(answer.status).toBe(200);
    const { logo, favicons } = await branding();
    expect(logo).toBe(dataUri(`image/${format}`, picture));
    expect(await sizesOf(favicons)).toEqual({ '16x16': [16, 16], '32x32': [32, 32], '180x180': [180, 180] });
    expect((await brand({ logo: '', favicon: '' })).status).toBe(200);
    expect((await branding()).logo).toMatch(/^data:image\/svg/);
  });

  it('takes a safe SVG, also percent-encoded', async () => {
    const safe = svg('<rect width="8" height="8" fill="#123456"/>');
    expect((await brand({ logo: dataUri('image/svg+xml', safe), favicon: `data:image/svg+xml,${encodeURIComponent(safe)}` })).status).toBe(200);
    const { logo, favicons } = await branding();
    expect(logo).toBe(dataUri('image/svg+xml', safe));
    const icon = await sharp(bytesOf(favicons['180x180']!)).removeAlpha().raw().toBuffer();
    expect([...icon.subarray(0, 3)]).toEqual([0x12, 0x34, 0x56]);
    await brand({ logo: '', favicon: '' });
  });

  it.each([
    ['logo', 'x'], ['logo', 'https://example.com/logo.png'], ['logo', dataUri('image/png', 'no picture')],
    ['logo', dataUri('image/svg+xml', svg('<script>alert(1)</script>'))],
    ['logo', dataUri('image/svg+xml', svg('<rect onclick="alert(1)"/>'))],
    ['logo', dataUri('image/svg+xml', svg('<foreignObject/>'))],
    ['logo', dataUri('image/svg+xml', svg('<use href="http://evil.example/a#b"/>'))],
    ['favicon', dataUri('image/png', svg('<script/>'))],
    ['primaryColor', 'red'], ['primaryColor', '#fff'], ['primaryColor', '#12345g'], ['primaryColor', '#2563eb;'],
    ['appName', 'a'.repeat(51)], ['appName', ' '], ['appName', 'a\nb'],
  ])('refuses %s %j', async (field, value) => {
    const before = await branding();
    const answer = await brand({ showAppTag: false, [field]: value });
    expect([outcome(answer), pathsOf(answer)]).toEqual(['400 invalid_value', [field]]);
    expect(await branding()).toEqual(before);
  });

  it('refuses pictures that are too large, cut off, beyond all measure, or of another kind', async () => {
    const gaussian = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const noisy = sharp({ create: { width: 500, height: 500, channels: 3, background: '#000', noise: gaussian } });
    const noise = await noisy.png().toBuffer();
    const large = Buffer.concat([noise, Buffer.alloc(512 * 1024 + 1 - Math.min(noise.length, 512 * 1024))]);
    const [webp, tiff] = [await plain(8).webp().toBuffer(), await plain(8).tiff().toBuffer()];
    for (const logo of [large, noise.subarray(0, 10_000), await plain(8_000, 8_000).png().toBuffer(), webp, tiff]) {
      expect(outcome(await brand({ logo: logo.toString('base64') }))).toBe('400 invalid_value');
    }
  });

  it('reports all that is wrong at once', async () => {
    expect(pathsOf(await brand({ logo: 'x', favicon: 'x', primaryColor: 'x', appName: ' ' })).sort())
      .toEqual(['appName', 'favicon', 'logo', 'primaryColor']);
  });

  it.each([
    ['no organization', '/api/v1/branding', {}, '400 missing_org'],
    ['an unknown organization', '/api/v1/branding?org=nosuch', {}, '404 not_found'],
    ['a wrong type', at, { showAppTag: 'yes' }, '422 validation_failed'],
    ['a list', at, [], '422 validation_failed'],
  ])('refuses %s', async (_, path, json, expected) => {
    expect(outcome(await admin.post(path, { json }))).toBe(expected);
  });

  it('refuses what is no JSON, and nothing', async () => {
    for (const body of ['{', '']) expect(outcome(await admin.post(at, { body }))).toBe('422 malformed_body');
    const text = { body: 'a', headers: { 'content-type': 'text/plain' } };
    expect(outcome(await admin.post(at, text))).toBe('415 unsupported_media_type');
  });

  it('is for the administrative organization, and for site admins through any', async () => {
    const editor = await world.person('branding-editor');
    const json = { appName: 'Mine' };
    expect(outcome(await owner.http.post('/api/v1/branding?org=acme', { json }))).toBe('403 forbidden');
    expect(outcome(await owner.http.post(at, { json: {} }))).toBe('404 not_found');
    expect(outcome(await admin.post('/api/v1/branding?org=acme', { json: {} }))).toBe('200');
    const teams = (await admin.get('/api/v1/orgs/administration/teams')).json<{ id: number; name: string }[]>();
    await world.join(world.siteAdmin, teams.find(({ name }) => name === 'Owners')!.id, editor);
    expect(outcome(await editor.http.post(at, { json: { appName: 'Ours' } }))).toBe('200');
    expect((await branding())['appName']).toBe('Ours');
    await brand({ appName: '' });
  });
});

describe('every replica', () => {
  it('sees a changed setting on the next request', async () => {
    for (let round = 0; round < 10; round += 1) {
      const writer = replicas[round % 2]!.with({ authorization: `token ${world.siteAdmin.token}` });
      const [appName, name] = [`Round ${round}`, `round-${round}.example`];
      const registration = { disableRegistration: round % 2 === 0 };
      const since = (await replicas[0]!.get('/api/v1/branding')).header('last-modified');
      const headers = since === undefined ? {} : { 'If-Modified-Since': since };
      expect((await writer.post(at, { json: { appName } })).status).toBe(200);
      expect((await writer.post(domainsAt, { json: { name } })).status).toBe(200);
      expect((await writer.post(registrationAt, { json: registration })).status).toBe(200);
      // The gateway distributes calls over the replicas.
      for (const reader of [...replicas, ...replicas]) {
        const shown = await reader.get('/api/v1/branding', { headers });
        expect([shown.status, shown.json<Branding>()['appName']]).toEqual([200, appName]);
        const modified = shown.header('last-modified') ?? shown.header('date')!;
        expect(Date.parse(modified)).toBeLessThanOrEqual(Date.parse(shown.header('date')!));
        expect((await reader.get('/api/v1/allowed-domains')).json()).toContain(name);
        expect((await reader.get('/api/v1/disable-registration')).json()).toEqual(registration);
      }
      expect((await writer.patch(domainsAt, { json: { name } })).status).toBe(200);
    }
    await brand({ appName: '' });
    await admin.post(registrationAt, { json: { disableRegistration: false } });
  });

  it('of replicas behind different addresses agrees with the others', async () => {
    const tags = new Set<string>();
    for (const reader of [...replicas, ...replicas]) tags.add((await reader.get('/api/v1/branding')).header('etag')!);
    expect(tags.size).toBe(1);
  });
});

describe('/allowed-domains (spec §4.8, open-points 10)', () => {
  const add = (name: unknown) => admin.post(domainsAt, { json: { name } });
  const remove = (name: unknown) => admin.patch(domainsAt, { json: { name } });
  const list = async () => (await world.nobody.get('/api/v1/allowed-domains')).json();

  it('is empty at first; domains are added in their normal form, sorted, and removed', async () => {
    expect(await list()).toEqual([]);
    expect((await add('Example.COM')).json()).toEqual(['example.com']);
    expect((await add('bücher.example')).json()).toEqual(['example.com', 'xn--bcher-kva.example']);
    expect((await add('a-z.example')).json()).toEqual(['a-z.example', 'example.com', 'xn--bcher-kva.example']);
    expect(outcome(await add('EXAMPLE.com'))).toBe('409 already_exists');
    expect((await remove('BÜCHER.example')).json()).toEqual(['a-z.example', 'example.com']);
    expect(outcome(await remove('xn--bcher-kva.example'))).toBe('400 not_in_whitelist');
    expect(await list()).toEqual(['a-z.example', 'example.com']);
    for (const name of ['a-z.example', 'example.com']) await remove(name);
    expect(await list()).toEqual([]);
  });

  const none = ['', 'localhost', '*.example.com', 'me@example.com', '10.0.0.1', 'a b.com', 'http://a.com', null];
  it.each(none)('takes no domain %j', async (name) => {
    for (const change of [add, remove]) expect(outcome(await change(name))).toBe('400 invalid_domain');
  });

  it('comes in pages', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `d${index}.example`);
    for (const name of names) await add(name);
    const page = await world.nobody.get('/api/v1/allowed-domains?page=2&limit=2');
    expect([page.json(), page.header('x-total-count')]).toEqual([['d2.example', 'd3.example'], '5']);
    expect(page.header('link')).toContain('page=3&limit=2>; rel="next"');
    const beyond = await world.nobody.get('/api/v1/allowed-domains?page=9&limit=2');
    expect([beyond.json(), beyond.header('x-total-count')]).toEqual([[], '5']);
    for (const name of names) await remove(name);
  });

  it('has one winner when many add the same', async () => {
    const outcomes = (await atOnce(20, () => add('raced.example'))).map(outcome).sort();
    expect(outcomes).toEqual(oneOf(20, '200', '409 already_exists'));
    await remove('raced.example');
  });

  it.each(['POST', 'PATCH'])('%s refuses in the order of open-points 1.5', async (verb) => {
    const send = (as: HttpClient, path: string, body = '{"name":"a.example"}') =>
      as.send(verb, path, { body, headers: { 'content-type': 'application/json' } });
    expect(outcome(await send(world.nobody, domainsAt))).toBe('401 unauthenticated');
    expect(outcome(await send(admin, '/api/v1/allowed-domains'))).toBe('400 missing_org');
    expect(outcome(await send(admin, '/api/v1/allowed-domains?org=nosuch'))).toBe('404 not_found');
    expect(outcome(await send(owner.http, '/api/v1/allowed-domains?org=acme', '{'))).toBe('403 forbidden');
    expect(outcome(await send(admin, domainsAt, '{'))).toBe('422 malformed_body');
    expect(outcome(await send(admin, domainsAt, '{"name":1}'))).toBe('422 validation_failed');
    expect(outcome(await send(admin, domainsAt, '{}'))).toBe('400 invalid_domain');
  });
});

describe('/disable-registration (spec §4.8, open-points 10)', () => {
  const read = async () => (await world.nobody.get('/api/v1/disable-registration')).json();

  it('is off at first, is switched, and stays without the field', async () => {
    expect(await read()).toEqual({ disableRegistration: false });
    const post = async (json: unknown) => (await admin.post(registrationAt, { json })).json();
    for (const json of [{ disableRegistration: true }, {}, { disableRegistration: null }]) {
      expect(await post(json)).toEqual({ disableRegistration: true });
    }
    expect(await read()).toEqual({ disableRegistration: true });
    expect(await post({ disableRegistration: false })).toEqual({ disableRegistration: false });
  });

  it('refuses in the order of open-points 1.5', async () => {
    expect(outcome(await world.nobody.post(registrationAt, { json: {} }))).toBe('401 unauthenticated');
    expect(outcome(await admin.post('/api/v1/disable-registration', { json: {} }))).toBe('400 missing_org');
    expect(outcome(await admin.post('/api/v1/disable-registration?org=nosuch', { json: {} }))).toBe('404 not_found');
    const elsewhere = '/api/v1/disable-registration?org=acme';
    expect(outcome(await owner.http.post(elsewhere, { body: '{' }))).toBe('403 forbidden');
    const json = { disableRegistration: 'true' };
    expect(outcome(await admin.post(registrationAt, { json }))).toBe('422 validation_failed');
    expect(outcome(await admin.post(registrationAt, { body: '' }))).toBe('422 malformed_body');
  });
});

async function sizesOf(favicons: Branding['favicons']): Promise<Record<string, number[]>> {
  const sizes = Object.entries(favicons).map(async ([key, uri]) => {
    const { format, width, height } = await sharp(bytesOf(uri)).metadata();
    return [key, format === 'png' ? [width, height] : []] as const;
  });
  return Object.fromEntries(await Promise.all(sizes)) as Record<string, number[]>;
}
