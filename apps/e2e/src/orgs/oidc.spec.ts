import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LabPerson, type LabProvider, startLabProvider } from '@platform/lab/oidc';
import { sql } from '@platform/postgres';
import { type HttpAnswer, until } from '@platform/testing';
import { organizationHosts } from '../platform.ts';
import { signInAtProvider } from './at-provider.ts';
import { type Browser, openBrowser } from './browser.ts';
import { hostileClient, type HostileProvider, type ProviderPart, startHostileProvider } from './hostile-provider.ts';
import { type Organization, outcome, type Person, startWorld, type World } from './world.ts';

const baseUrl = 'https://platform.example.org';

/** People of the provider; groups change while the spec runs. */
const groupsOf: Record<string, string[]> = {};
const person = (login: string, more: Partial<LabPerson> = {}): LabPerson => ({
  login, name: `${login} Example`, email: `${login}@example.org`, isVerified: true,
  get groups() {
    return groupsOf[login] ?? [];
  },
  ...more,
});
const people = [
  person('ada'), person('ben'), person('cora'), person('dan', { isVerified: false }), person('eve'), person('fay'),
  person('gil', { email: 'ada@example.org' }), person('hal'), person('admin', { email: 'root@example.org' }),
  // Neither the name at the provider nor the local part of the address is a valid login.
  person('me'), person('users'), person('licensed'),
];

let provider: LabProvider;
/** A provider whose answers the spec sets. */
let told: HostileProvider;
let world: World, boss: Person, organization: Organization;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  told = stack.use(await startHostileProvider());
  const redirectUris = ['plain', 'trusting', 'grouped'].map((name) => `${baseUrl}/auth/oidc/${name}/callback`);
  provider = stack.use(await startLabProvider({ redirectUris, people }));
  const { issuer, clientId: clientID, clientSecret } = provider;
  const common = { issuer, clientID, clientSecret };
  const providers = [
    { name: 'plain', title: 'Plain', ...common },
    { name: 'trusting', title: 'Trusting', trustEmail: true, ...common },
    {
      name: 'grouped', title: 'Grouped', ...common, scopes: ['openid', 'email', 'profile', 'groups'], groupsClaim: 'groups',
      groups: [
        { group: 'staff', organization: 'mapped', team: 'Viewers' }, { group: 'bosses', organization: 'MAPPED', team: 'owners' },
        { group: 'bosses', organization: 'administration', team: 'Owners' }, { group: 'staff', organization: 'nowhere', team: 'None' },
      ],
    },
    {
      name: 'told', title: 'Told', issuer: told.issuer, ...hostileClient, groupsClaim: 'groups',
      groups: [{ group: 'staff', organization: 'mapped', team: 'Editors' }],
    },
  ];
  const settings = { 'http.baseURL': baseUrl, 'auth.oidc': JSON.stringify(providers) };
  world = stack.use(await startWorld({ hosts: organizationHosts, settings }));
  boss = await world.person('boss');
  organization = await world.organization(boss, { username: 'mapped' });
}, 120_000);
afterAll(() => stack.disposeAsync());

const open = () => openBrowser(world, baseUrl);
/** Target of a redirect, without the platform's own address. */
const targetOf = (answer: HttpAnswer) => answer.header('location')!.slice(baseUrl.length);
/** Signs in, and returns the target of the callback's redirect. */
async function signIn(own: Browser, name: string, login: string, to = '/'): Promise<string> {
  const begun = await own.get(`/auth/oidc/${name}?to=${encodeURIComponent(to)}`);
  const path = await signInAtProvider(begun.header('location')!, login, baseUrl);
  return targetOf(await own.get(path, { 'sec-fetch-site': 'cross-site', 'origin': '' }));
}
const whoIs = async (own: Browser) => {
  const answer = await own.get('/auth/session');
  return answer.status === 200 ? answer.json<{ user: { login: string } }>().user.login : answer.status;
};

describe('signing in by a provider', () => {
  it('lists the providers without their secrets', async () => {
    expect((await world.nobody.get('/auth/providers')).json()).toEqual([
      { name: 'plain', title: 'Plain' }, { name: 'trusting', title: 'Trusting' }, { name: 'grouped', title: 'Grouped' },
      { name: 'told', title: 'Told' },
    ]);
    expect((await world.nobody.get('/auth/oidc/none')).status).toBe(404);
  });

  it('makes an account at first, and leads back to the page that was asked for', async () => {
    const own = open();
    expect(await signIn(own, 'plain', 'ben', '/contracts?page=2')).toBe('/contracts?page=2');
    expect((await own.get('/auth/session')).json()).toMatchObject({
      via: 'oidc', user: { login: 'ben', full_name: 'ben Example', email: 'ben@example.org' },
    });
    expect([...own.cookies.keys()]).toEqual(['__Host-session']);
    const again = open();
    await signIn(again, 'plain', 'ben');
    expect(await whoIs(again)).toBe('ben');
  });

  it('takes another login where that of the provider is taken', async () => {
    await world.person('cora');
    await world.database.execute(sql`update account set email = 'elsewhere@example.org' where name = 'cora'`);
    const own = open();
    await signIn(own, 'plain', 'cora');
    expect(await whoIs(own)).toBe('cora-2');
  });

  it('finds a login where neither the name nor the address makes one, and takes none that is reserved', async () => {
    const loginOf = async (login: string) => {
      const own = open();
      expect(await signIn(own, 'plain', login)).toBe('/');
      return whoIs(own);
    };
    expect(await loginOf('me')).toBe('person');
    expect(await loginOf('users')).toBe('person-2');
    await world.person('licensed');
    await world.database.execute(sql`update account set email = 'away@example.org' where name = 'licensed'`);
    expect(await loginOf('licensed')).toBe('person-3');
  });

  it('binds an existing account only where a link has confirmed its address, once, and never a site admin', async () => {
    await world.person('ada');
    const own = open();
    expect(await signIn(own, 'plain', 'ada')).toBe('/sign-in#refused=forbidden');
    expect(await whoIs(own)).toBe(401);
    await world.database.execute(sql`update account set confirmed_email = email where name = 'ada'`);
    expect(await signIn(own, 'plain', 'ada')).toBe('/');
    expect(await whoIs(own)).toBe('ada');
    // Another subject now has the address.
    expect(await signIn(open(), 'plain', 'gil')).toBe('/sign-in#refused=forbidden');
    await world.person('root', { admin: true });
    await world.database.execute(sql`update account set confirmed_email = email where name = 'root'`);
    expect(await signIn(open(), 'plain', 'admin')).toBe('/sign-in#refused=forbidden');
  });

  it('believes an address that is not verified only where the issuer owns it', async () => {
    expect(await signIn(open(), 'plain', 'dan')).toBe('/sign-in#refused=forbidden');
    expect(await signIn(open(), 'trusting', 'dan')).toBe('/');
  });

  it('makes accounts under the gates of sign-up, and signs known ones in', async () => {
    const settings = '/api/v1/disable-registration?org=administration';
    await world.siteAdmin.http.post(settings, { json: { disableRegistration: true } });
    expect(await signIn(open(), 'plain', 'eve')).toBe('/sign-in#refused=registration_disabled');
    expect(await signIn(open(), 'plain', 'ben')).toBe('/');
    await world.siteAdmin.http.post(settings, { json: { disableRegistration: false } });
    const domains = '/api/v1/allowed-domains?org=administration';
    await world.siteAdmin.http.post(domains, { json: { name: 'example.com' } });
    expect(await signIn(open(), 'plain', 'eve')).toBe('/sign-in#refused=invalid_domain');
    await world.siteAdmin.http.patch(domains, { json: { name: 'example.com' } });
  });
});

describe('binding from the console', () => {
  const begin = (own: Browser) => own.post('/api/v1/user/identities/plain');
  const comeBack = async (own: Browser, begun: HttpAnswer, login: string) => {
    const { location } = begun.json<{ location: string }>();
    const path = await signInAtProvider(location, login, baseUrl);
    return targetOf(await own.get(path, { 'sec-fetch-site': 'cross-site' }));
  };
  const byToken = async ({ token }: Person) => {
    const own = open();
    await own.post('/auth/sign-in/token', { token });
    return own;
  };

  it('binds a subject that nobody has, whatever its address', async () => {
    const own = await byToken(await world.person('fanny'));
    const begun = await begin(own);
    expect(begun.status).toBe(200);
    expect(await comeBack(own, begun, 'fay')).toBe('/account');
    const later = open();
    await signIn(later, 'plain', 'fay');
    expect(await whoIs(later)).toBe('fanny');
  });

  it('is refused for the subject of another account, after the session, and by a narrower token', async () => {
    const other = await world.person('greg');
    const own = await byToken(other);
    expect(await comeBack(own, await begin(own), 'ben')).toBe('/sign-in#refused=forbidden');
    const second = await begin(own);
    expect([...own.cookies.keys()].filter((name) => name.endsWith('session'))).toHaveLength(1);
    await own.post('/auth/sign-out');
    expect(await comeBack(own, second, 'hal')).toBe('/sign-in#refused=link_expired');
    await world.database.execute(sql`update access_token set scopes = '{write:user}' where account_id = ${other.id}`);
    expect(outcome(await begin(await byToken(other)))).toBe('403 missing_scope');
    expect(outcome(await begin(open()))).toBe('401 unauthenticated');
  });
});

const teamsOf = async (login: string) => (await world.database.query(sql<{ name: string }>`
  select team.name from team_member join team on team.id = team_id join account on account.id = user_id
   where account.name = ${login} order by team.id`)).map(({ name }) => name);

describe('groups', () => {
  it('make members and end memberships at each sign-in, never that of the last owner or of site admins', async () => {
    groupsOf['hal'] = ['staff', 'bosses'];
    expect(await signIn(open(), 'grouped', 'hal')).toBe('/');
    expect(await teamsOf('hal')).toEqual(['Owners', 'Viewers']);
    groupsOf['hal'] = ['bosses'];
    await signIn(open(), 'grouped', 'hal');
    expect(await teamsOf('hal')).toEqual(['Owners']);
    await boss.http.delete(`/api/v1/teams/${organization.teams.Owners}/members/boss`);
    groupsOf['hal'] = [];
    await signIn(open(), 'grouped', 'hal');
    expect(await teamsOf('hal')).toEqual(['Owners']);
    await world.database.execute(sql`
      insert into team_member (team_id, user_id, organization_id)
      values (${organization.teams.Owners}, ${boss.id}, ${organization.id})`);
    await signIn(open(), 'grouped', 'hal');
    expect(await teamsOf('hal')).toEqual([]);
  });

  it('are in the log where their teams are missing, or make site admins', async () => {
    await signIn(open(), 'grouped', 'hal');
    const logged = () => world.platform.services['orgs-teams'].replicas.flatMap(({ log }) => log)
      .filter((line) => line.includes('nowhere/None')).map((line) => JSON.parse(line) as object);
    await until(() => logged().length > 0, { what: 'the sign-in is logged' });
    expect(logged()[0]).toMatchObject({ provider: 'grouped', teams: ['administration/Owners', 'nowhere/None'] });
  });
});

describe('a provider', () => {
  const email = 'ivy@example.org';
  const begin = async (own: Browser) => new URL((await own.get('/auth/oidc/told')).header('location')!).searchParams;
  /** Target of the redirect after a sign-in with this ID token and UserInfo. */
  const signInWith = async (idToken: object, userInfo?: object) => {
    const own = open();
    const asked = await begin(own);
    const code = randomUUID();
    const claims = { sub: 'ivy', email_verified: true, ...idToken };
    told.answer(code, asked.get('nonce')!, { claims, ...(userInfo && { userInfo: { sub: 'ivy', ...userInfo } }) });
    const query = new URLSearchParams({ code, state: asked.get('state')! });
    return targetOf(await own.get(`/auth/oidc/told/callback?${query}`));
  };

  it.each<[ProviderPart, number]>([
    ['/.well-known/openid-configuration', 500], ['/.well-known/openid-configuration', 404],
  ])('without metadata is unavailable: %s answers %i', async (part, status) => {
    told.failing.set(part, status);
    expect(outcome(await open().get('/auth/oidc/told'))).toBe('503 unavailable');
    told.failing.clear();
  });

  it.each<[ProviderPart, number, string]>([
    ['/keys', 500, 'unavailable'], ['/token', 503, 'unavailable'], ['/userinfo', 502, 'unavailable'],
    ['/token', 429, 'unavailable'], ['/token', 400, 'forbidden'], ['/userinfo', 401, 'forbidden'],
  ])('that fails is no refusal: %s answers %i', async (part, status, refused) => {
    told.failing.set(part, status);
    expect(await signInWith({}, { email, email_verified: true })).toBe(`/sign-in#refused=${refused}`);
    told.failing.clear();
  });

  it.each([
    ['server_error', 'unavailable'], ['temporarily_unavailable', 'unavailable'], ['access_denied', 'forbidden'],
  ])('that sends people back with %s is %s', async (error, refused) => {
    const own = open();
    const state = (await begin(own)).get('state')!;
    const answer = await own.get(`/auth/oidc/told/callback?${new URLSearchParams({ error, state })}`);
    expect(answer.header('location')).toBe(`${baseUrl}/sign-in#refused=${refused}`);
  });

  it('may tell the groups in UserInfo alone, or the address', async () => {
    expect(await signInWith({ email }, { groups: ['staff'] })).toBe('/');
    expect(await teamsOf('ivy')).toEqual(['Editors']);
    expect(await signInWith({ groups: ['staff'] }, { email, email_verified: true })).toBe('/');
    expect(await teamsOf('ivy')).toEqual(['Editors']);
    // The ID token takes precedence, even if it only says that there are too many groups to list.
    expect(await signInWith({ email, _claim_names: { groups: 'src1' } }, { groups: [] })).toBe('/sign-in#refused=forbidden');
    expect(await signInWith({ email }, { _claim_names: { groups: 'src1' } })).toBe('/sign-in#refused=forbidden');
    expect(await teamsOf('ivy')).toEqual(['Editors']);
    expect(await signInWith({ email }, {})).toBe('/');
    expect(await teamsOf('ivy')).toEqual([]);
  });
});
