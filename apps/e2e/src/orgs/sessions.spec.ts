import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Fault } from '@platform/faults';
import { sql } from '@platform/postgres';
import { SessionServiceService } from '@platform/proto/orgs/v1/session';
import { UserServiceService } from '@platform/proto/orgs/v1/user';
import { coversScope, tokenScopes } from '@platform/surface';
import { type HttpAnswer, type HttpClient, rpcClient, until } from '@platform/testing';
import { ok } from '../contracts/contract-world.ts';
import { specCall } from '../operator.ts';
import { organizationHosts } from '../platform.ts';
import { atOnce, oneOf, outcome, type Person, startWorld, type World } from './world.ts';

let world: World, ada: Person;
beforeAll(async () => {
  const settings = { 'run.mode': 'dev' };
  world = await startWorld({ hosts: organizationHosts, replicas: { 'orgs-teams': 2 }, settings });
  ada = await world.person('ada');
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

interface NewToken { id: number; sha1: string; expires_at: string; scopes: string[] }
/** Makes an access token of ada. */
const makeToken = async (json: object) => ok<NewToken>(await ada.http.post('/api/v1/users/ada/tokens', { json }), 201);
const page = () => ({ 'origin': world.platform.http.baseUrl, 'sec-fetch-site': 'same-origin' });
const cookieName = () => `session-${new URL(world.platform.http.baseUrl).port}`;

/** Signs in as pages do. */
const signIn = (token: string, headers = {}) =>
  world.nobody.post('/auth/sign-in/token', { json: { token }, headers: { ...page(), ...headers } });

function valueOf(answer: HttpAnswer): string {
  const [, value] = /^[\w-]+=([0-9a-f]{40});/.exec(answer.header('set-cookie') ?? '') ?? [];
  if (value === undefined) throw new Error(`no session: ${answer.status} ${answer.text}`);
  return value;
}

/** A browser with a session. */
const browser = (value: string) => world.nobody.with({ ...page(), cookie: `${cookieName()}=${value}` });
const signedIn = async ({ token }: Pick<Person, 'token'>) => browser(valueOf(await signIn(token)));

/** The current session of a browser, from the list of its person's sessions. */
const currentOf = async (client: HttpClient) => (await client.get('/api/v1/user/sessions'))
  .json<{ id: number; current: boolean }[]>().filter(({ current }) => current);

describe('signing in by a token', () => {
  it('sets a cookie that scripts and other sites do not get, and nothing else has the value', async () => {
    const answer = await signIn(ada.token);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.header('set-cookie')).toMatch(new RegExp(
      `^${cookieName()}=[0-9a-f]{40}; HttpOnly; SameSite=Lax; Path=/$`));
    expect((await browser(valueOf(answer)).get('/api/v1/user')).json()).toMatchObject({ login: 'ada', id: ada.id });
  });

  it('notes when and how', async () => {
    await world.database.execute(sql`update account set last_login_at = null where id = ${ada.id}`);
    const client = (await signedIn(ada)).with({ 'user-agent': 'ignored' });
    const session = (await client.get('/auth/session')).json<{ user: { last_login: string }; expiresAt: string }>();
    expect(session).toMatchObject({ user: { login: 'ada' }, via: 'token' });
    expect(Date.parse(session.user.last_login)).toBeGreaterThan(Date.now() - 60_000);
    expect(Date.parse(session.expiresAt)).toBeLessThanOrEqual(Date.now() + 7 * 86_400_000);
  });

  it.each([
    ['another page', { origin: 'https://evil.example' }, '403 forbidden'],
    ['no page', { origin: undefined }, '403 forbidden'],
    ['a form', { 'content-type': 'text/plain' }, '415 unsupported_media_type'],
  ])('is refused to %s', async (_who, headers, expected) => {
    const given = Object.entries({ 'content-type': 'application/json', ...page(), ...headers })
      .filter((pair): pair is [string, string] => pair[1] !== undefined);
    const body = JSON.stringify({ token: ada.token });
    expect(outcome(await world.nobody.post('/auth/sign-in/token', { body, headers: Object.fromEntries(given) }))).toBe(expected);
  });

  it('takes neither an unknown token, nor a session, nor the token of an organization', async () => {
    const { username } = await world.organization(ada);
    const session = valueOf(await signIn(ada.token));
    const unknown = ['0'.repeat(40), session, `session:${session}`];
    for (const token of unknown) expect(outcome(await signIn(token))).toBe('401 unauthenticated');
    expect(outcome(await signIn(await world.operator.systemAdminToken(username)))).toBe('403 forbidden');
  });

  it('ends the session that the browser had', async () => {
    const former = valueOf(await signIn(ada.token));
    await signIn(ada.token, { cookie: `${cookieName()}=${former}` });
    expect(outcome(await browser(former).get('/api/v1/user'))).toBe('401 unauthenticated');
  });

  it('that fails leaves the session that the browser had', async () => {
    const { id, token } = await world.person();
    const former = valueOf(await signIn(token));
    await world.database.execute(sql`
      update access_token set scope = 'metricsproxy/none', slot = 'none' where account_id = ${id} and kind = 'token'`);
    expect(outcome(await signIn(token, { cookie: `${cookieName()}=${former}` }))).toBe('401 unauthenticated');
    expect(outcome(await browser(former).get('/api/v1/user'))).toBe('200');
  });
});

describe('a session', () => {
  let value: string;
  beforeAll(async () => {
    value = valueOf(await signIn(ada.token));
  });

  it('opens nothing in a header, in a query, or over gRPC, marked or not', async () => {
    await using users = await rpcClient(UserServiceService, world.platform.services['orgs-teams']);
    for (const token of [value, `session:${value}`]) {
      const answers = await Promise.all([
        world.as(token).get('/api/v1/user'), world.nobody.get(`/api/v1/user?token=${token}`),
        world.nobody.with({ authorization: `Bearer ${token}` }).get('/api/v1/user'),
        world.nobody.get(`/api/v1/user?access_token=${token}`),
      ]);
      expect(answers.map(outcome)).toEqual(answers.map(() => '401 unauthenticated'));
      const error = await users.getUser({}, specCall(token)).catch((thrown: unknown) => thrown);
      expect((error as Fault).reason).toBe('UNAUTHENTICATED');
    }
  });

  it('and a token together are refused, unless the cookie does not count', async () => {
    const both = browser(value).with({ authorization: `Bearer ${ada.token}` });
    expect(outcome(await both.get('/api/v1/user'))).toBe('400 ambiguous_credentials');
    const elsewhere = world.nobody.with({ 'cookie': `${cookieName()}=${value}`, 'authorization': `Bearer ${ada.token}` });
    expect(outcome(await elsewhere.get('/api/v1/user'))).toBe('200');
  });

  const own = 'own';
  /** Origins after `own` differ in scheme, host or path, at the same port. */
  const origins = [
    undefined, own, 'null', 'https://evil.example', 'http://127.0.0.1:1', 'https://127.0.0.1', `${own}/`,
    `${own}.evil.example`, `https:${own}`,
  ];
  const sites = [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'same-origin, cross-site', 'SAME-ORIGIN'];
  const calls = [
    ['GET', '/api/v1/user'], ['HEAD', '/api/v1/user'], ['PATCH', '/api/v1/user/settings'], ['GET', '/auth/session'],
    ['DELETE', '/api/v1/user/sessions/1'], ['POST', '/api/v1/users/ada/tokens'], ['PUT', '/api/v1/teams/1/members/ada'],
    ['GET', '/api/v1/user/orgs'],
  ] as const;
  const shownAs = (origin: string): string => {
    const { baseUrl } = world.platform.http;
    return origin.startsWith('https:own') ? baseUrl.replace('http:', 'https:') : origin.replace(/^own/, baseUrl);
  };

  it.each(calls)('counts for %s %s only as pages of the platform send it', async (method, path) => {
    const wrong: string[] = [];
    await Promise.all(origins.flatMap((origin) => sites.map(async (site) => {
      const headers = {
        cookie: `${cookieName()}=${value}`,
        ...(origin && { origin: shownAs(origin) }), ...(site && { 'sec-fetch-site': site }),
      };
      const json = method === 'PATCH' || method === 'POST' ? { json: {} } : {};
      const { status } = await world.nobody.send(method, path, { headers, ...json });
      const isRead = method === 'GET' || method === 'HEAD';
      const counts = (site === 'same-origin' || (site === 'none' && method === 'GET')) && (isRead || origin === own);
      if ((status !== 401) !== counts) wrong.push(`${method} ${path} ${origin} ${site}: ${status}`);
    })));
    expect(wrong).toEqual([]);
  });

  it.each(['session', '__Host-session', 'session-1', 'Session'])('is not what the cookie %s has', async (name) => {
    const client = world.nobody.with({ ...page(), cookie: `${name}=${value}` });
    expect(outcome(await client.get('/api/v1/user'))).toBe('401 unauthenticated');
  });

  it('is listed, and ended by its person alone', async () => {
    const [ofBob, ofAda] = [await signedIn(await world.person()), browser(value)];
    const current = await currentOf(ofAda);
    expect(current).toHaveLength(1);
    const path = `/api/v1/user/sessions/${current[0]!.id}`;
    expect(outcome(await ofBob.delete(path))).toBe('404 not_found');
    expect(outcome(await ada.http.delete(path))).toBe('204');
    expect(outcome(await ofAda.get('/api/v1/user'))).toBe('401 unauthenticated');
  });
});

describe('a session ends with', () => {
  it('its token, on the next request', async () => {
    const client = await signedIn({ token: (await makeToken({ name: 'to sign in' })).sha1 });
    expect(outcome(await client.get('/api/v1/user'))).toBe('200');
    expect(outcome(await ada.http.delete('/api/v1/users/ada/tokens/to%20sign%20in'))).toBe('204');
    expect(outcome(await client.get('/api/v1/user'))).toBe('401 unauthenticated');
  });

  it('signing out, which takes cookie and storage away', async () => {
    const client = await signedIn(ada);
    await client.post('/auth/sign-out', { json: {}, headers: { 'sec-fetch-site': 'cross-site' } });
    expect(outcome(await client.get('/api/v1/user'))).toBe('200');
    const answer = await client.post('/auth/sign-out', { json: {} });
    expect(outcome(answer)).toBe('204');
    expect(answer.header('set-cookie')).toMatch(/=; HttpOnly; SameSite=Lax; Path=\/; Max-Age=0$/);
    expect(answer.header('clear-site-data')).toBe('"cache", "storage"');
    expect(outcome(await client.get('/api/v1/user'))).toBe('401 unauthenticated');
    expect(outcome(await client.post('/auth/sign-out', { json: {} }))).toBe('204');
  });

  it.each([
    ['lying idle', sql`created_at = now() - interval '13 hours', last_used_at = null`],
    ['its longest time', sql`expires_at = now()`],
  ])('%s', async (_how, change) => {
    const client = await signedIn(ada);
    const { id } = (await currentOf(client))[0]!;
    // The time of its last use is stored later, so try until the change is effective.
    await until(async () => {
      await world.database.execute(sql`update access_token set ${change} where id = ${id}`);
      return (await client.get('/api/v1/user')).status === 401;
    }, { what: 'the session has ended' });
  });

  it('the account', async () => {
    const cleo = await world.person('cleo');
    const client = await signedIn(cleo);
    await world.operator.admin.updateUser({ username: 'cleo', prohibitLogin: true }, specCall());
    expect(outcome(await client.get('/api/v1/user'))).toBe('403 account_disabled');
    expect(outcome(await signIn(cleo.token))).toBe('403 account_disabled');
    await world.operator.admin.updateUser({ username: 'cleo', prohibitLogin: false, active: false }, specCall());
    expect(outcome(await client.get('/api/v1/user'))).toBe('401 unauthenticated');
  });
});

describe('the link of the launcher', () => {
  const codeOfLink = async () => (await world.operator.admin.createSignInLink({ user: 'ada' }, specCall())).code;
  const link = async () => `/auth/link/${await codeOfLink()}`;

  it('signs in once, however many try at once', async () => {
    const path = await link();
    const tries = await atOnce(10, () => world.nobody.post(path, { json: {}, headers: page() }));
    expect(tries.map(outcome).sort()).toEqual(oneOf(10, '204', '403 link_expired'));
    const client = browser(valueOf(tries.find(({ status }) => status === 204)!));
    expect((await client.get('/auth/session')).json()).toMatchObject({ via: 'link', user: { login: 'ada' } });
  });

  it('is spent by POST alone, and not by another page', async () => {
    const path = await link();
    expect((await world.nobody.get(path)).status).toBe(405);
    expect(outcome(await world.nobody.post(path, { json: {} }))).toBe('403 forbidden');
    expect(outcome(await world.nobody.post(path, { json: {}, headers: page() }))).toBe('204');
  });

  it('is kept as a keyed hash alone', async () => {
    const code = await codeOfLink();
    const rows = await world.database.query(sql<{ row: string }>`select to_jsonb(c)::text as row from sign_in_code c`);
    expect(rows.filter(({ row }) => row.includes(code))).toEqual([]);
    await using sessions = await rpcClient(SessionServiceService, world.platform.services['orgs-teams']);
    // gRPC has no cookies, so the answer contains the value that otherwise only the cookie carries.
    const { session } = await sessions.signInByLink({ code, former: undefined, userAgent: undefined }, specCall());
    expect(session).toMatch(/^[0-9a-f]{40}$/);
  });
});

describe('access tokens of the caller', () => {
  const path = '/api/v1/users/ada/tokens';

  it('are made, used, listed without their value, and ended by name or id', async () => {
    const { id, sha1, scopes, expires_at } = await makeToken({ name: 'laptop', scopes: ['all', 'all'] });
    expect(scopes).toEqual(['all']);
    expect(Math.round((Date.parse(expires_at) - Date.now()) / 86_400_000)).toBe(90);
    expect(outcome(await world.as(sha1).get('/api/v1/user'))).toBe('200');
    const listed = (await ada.http.get(path)).json<Record<string, unknown>[]>();
    expect(listed.map((one) => one['sha1'])).toEqual(listed.map(() => undefined));
    expect(listed.find((one) => one['id'] === id)).toMatchObject({ name: 'laptop', token_last_eight: sha1.slice(-8) });
    expect(outcome(await ada.http.post(path, { json: { name: 'laptop' } }))).toBe('409 already_exists');
    expect(outcome(await ada.http.delete(`${path}/laptop`))).toBe('204');
    expect(outcome(await world.as(sha1).get('/api/v1/user'))).toBe('401 unauthenticated');
    expect(outcome(await ada.http.delete(`${path}/${id}`))).toBe('404 not_found');
  });

  it.each([
    [{ name: '' }, '422 validation_failed'],
    [{ name: 'x', scopes: ['read:planet'] }, '422 validation_failed'],
    [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, '400 invalid_value'],
    [{ name: 'x', expires_at: '2999-01-01T00:00:00Z' }, '400 invalid_value'],
    [{ name: 'x', expires_at: 'tomorrow' }, '422 validation_failed'],
  ])('%j is %s', async (json, expected) => {
    expect(outcome(await ada.http.post(path, { json }))).toBe(expected);
  });

  it('make no token with more than they have, in none of all pairs of scopes', async () => {
    const eve = await world.person();
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const make = (holder: HttpClient, given: object) =>
      holder.post(`/api/v1/users/${eve.username}/tokens`, { json: { name: randomUUID(), expires_at, ...given } });
    const made = async (...scopes: string[]) => (await make(eve.http, { scopes })).json<{ sha1: string }>().sha1;
    for (const held of tokenScopes) {
      const [alone, ableToMake] = await Promise.all([made(held), made(held, 'write:user')]);
      const mayMake = coversScope([held], 'write:user');
      for (const asked of tokenScopes) {
        const allowed = coversScope([held, 'write:user'], asked);
        for (const [token, may] of [[ableToMake, allowed], [alone, mayMake && allowed]] as const) {
          const answer = await make(world.as(token), { scopes: [asked] });
          expect([held, asked, outcome(answer)]).toEqual([held, asked, may ? '201' : '403 missing_scope']);
        }
      }
      // A request without scopes asks for all scopes.
      expect(outcome(await make(world.as(ableToMake), {}))).toBe(held === 'all' ? '201' : '403 missing_scope');
    }
  });

  it('make none that lasts longer, unless they have every scope', async () => {
    const scopes = ['write:user'];
    const ends = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const narrow = await makeToken({ name: 'ten days', scopes, expires_at: ends(10) });
    const make = (name: string, given: object) => world.as(narrow.sha1).post(path, { json: { name, scopes, ...given } });
    expect(outcome(await make('eleven days', { expires_at: ends(11) }))).toBe('403 missing_scope');
    // The default of 90 days also ends after the session.
    expect(outcome(await make('usual', {}))).toBe('403 missing_scope');
    expect(outcome(await make('nine days', { expires_at: ends(9) }))).toBe('201');
    expect(outcome(await make('as long', { expires_at: narrow.expires_at }))).toBe('201');
    const whole = await makeToken({ name: 'whole', expires_at: ends(10) });
    expect(outcome(await world.as(whole.sha1).post(path, { json: { name: 'longer', expires_at: ends(30) } }))).toBe('201');
  });

  it('give their scopes and their end to sessions', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { sha1 } = await makeToken({ name: 'reader', scopes: ['read:user', 'read:organization'], expires_at });
    const client = await signedIn({ token: sha1 });
    expect((await client.get('/auth/session')).json<{ expiresAt: string }>().expiresAt).toBe(`${expires_at.slice(0, 19)}Z`);
    expect(outcome(await client.get('/api/v1/user'))).toBe('200');
    const { username } = await world.organization(ada);
    expect(outcome(await client.get(`/api/v1/orgs/${username}/teams`))).toBe('200');
    const tries = [
      client.patch('/api/v1/user/settings', { json: { location: 'x' } }), client.post(path, { json: { name: 'more' } }),
      client.post('/api/v1/orgs', { json: { username: 'theirs' } }), client.get(`/api/v1/authz/roles/available_permissions?org=${username}`),
    ];
    const missing = '403 missing_scope';
    expect((await Promise.all(tries)).map(outcome)).toEqual([missing, missing, missing, '200']);
    await ada.http.delete(`${path}/reader`);
    expect(outcome(await client.get('/api/v1/user'))).toBe('401 unauthenticated');
  });

  it('say who is signed in, with any scope', async () => {
    const client = await signedIn({ token: (await makeToken({ name: 'narrow', scopes: ['read:contract'] })).sha1 });
    expect((await client.get('/auth/session')).json()).toMatchObject({ user: { login: 'ada' } });
    expect(outcome(await client.get('/api/v1/user'))).toBe('403 missing_scope');
  });

  it('are nobody else\'s, but a site admin lists and ends them', async () => {
    const bob = await world.person();
    const { sha1 } = await makeToken({ name: 'shared' });
    const tries = [await bob.http.get(path), await bob.http.post(path, { json: { name: 'x' } }), await bob.http.delete(`${path}/shared`)];
    expect(tries.map(outcome)).toEqual(['403 forbidden', '403 forbidden', '403 forbidden']);
    expect(outcome(await world.siteAdmin.http.post(path, { json: { name: 'x' } }))).toBe('403 not_self');
    expect(outcome(await world.siteAdmin.http.get(path))).toBe('200');
    expect(outcome(await world.siteAdmin.http.delete(`${path}/shared`))).toBe('204');
    expect(outcome(await world.as(sha1).get('/api/v1/user'))).toBe('401 unauthenticated');
  });
});

describe('the account of the caller', () => {
  it('has its settings changed, and a hidden address stays hidden', async () => {
    const dora = await world.person('dora');
    const change = { full_name: 'Dora Diaz', hide_email: true, website: 'https://dora.example' };
    expect((await dora.http.patch('/api/v1/user/settings', { json: change })).json()).toMatchObject(change);
    expect(outcome(await dora.http.patch('/api/v1/user/settings', { json: { website: 'javascript:1' } }))).toBe('422 validation_failed');
    const find = async (q: string) => (await ada.http.get(`/api/v1/users/search?q=${encodeURIComponent(q)}`))
      .json<{ data: { login: string; email: string }[] }>().data;
    expect((await find('DORA')).map(({ login }) => login)).toEqual(['dora']);
    expect((await find('dora d'))[0]!.email).not.toBe('dora@example.org');
    // A search does not match addresses, and its wildcard characters have no effect.
    for (const q of ['dora@', 'd%', '__', '%%', '\\d']) expect(await find(q)).toEqual([]);
    expect(outcome(await ada.http.get('/api/v1/users/search?q=d'))).toBe('400 invalid_parameter');
    expect(outcome(await world.nobody.get('/api/v1/users/search?q=do'))).toBe('401 unauthenticated');
    await world.operator.admin.updateUser({ username: 'dora', active: false }, specCall());
    expect(await find('dora')).toEqual([]);
  });

  it('lists its organizations by name, and an organization has no such things', async () => {
    const eve = await world.person();
    for (const username of ['zebra', 'Apes', 'mules']) await world.organization(eve, { username });
    const names = async (query = '') => (await eve.http.get(`/api/v1/user/orgs${query}`))
      .json<{ username: string }[]>().map(({ username }) => username);
    expect(await names()).toEqual(['Apes', 'mules', 'zebra']);
    expect(await names('?limit=1&page=2')).toEqual(['mules']);
    const organization = world.as(await world.operator.systemAdminToken('zebra'));
    const tries = await Promise.all(['user', 'user/orgs', 'user/sessions'].map((path) => organization.get(`/api/v1/${path}`)));
    expect(tries.map(outcome)).toEqual(tries.map(() => '403 forbidden'));
  });
});
