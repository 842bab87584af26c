import { randomBytes } from 'node:crypto';
import { sql } from '@platform/postgres';
import { type ProofOptions, type ProofResult, seeded } from '@platform/testing';
import { type Browser, openBrowser } from '../src/orgs/browser.ts';
import { type Forged, type HostileProvider, hostileClient, startHostileProvider } from '../src/orgs/hostile-provider.ts';
import { startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';

export const name = 'oidc';
export const describe = 'Sign-ins by providers that lie (issuer, audience, nonce, state, time, signature, algorithm, code, page, address, '
  + 'subject): 0 sessions of 200.';
export const servers = true;

const whole = 200;
const baseUrl = 'https://platform.example.org';

/** One attempt to get in. Only the given part of the flow is forged; the rest is honest. */
interface Attack {
  readonly forged?: Forged;
  /** Changes the path of the callback with its query. */
  readonly callback?: (honest: URL, world: Lies) => string;
  /** The browser that returns from the provider, if another browser began the flow. */
  readonly from?: (own: Browser, world: Lies) => Promise<Browser>;
  readonly claims?: (world: Lies) => Readonly<Record<string, unknown>>;
}

interface Lies {
  readonly world: World;
  readonly own: HostileProvider;
  readonly other: HostileProvider;
  readonly baseUrl: string;
}

const now = () => Math.floor(Date.now() / 1000);
const without = (honest: URL, key: string) => {
  honest.searchParams.delete(key);
  return honest.pathname + honest.search;
};
const changed = (honest: URL, key: string, value: string) => {
  honest.searchParams.set(key, value);
  return honest.pathname + honest.search;
};

const attacks: Readonly<Record<string, Attack>> = {
  'the issuer is another provider': { claims: ({ other }) => ({ iss: other.issuer }) },
  'the issuer has a slash more': { claims: ({ own }) => ({ iss: `${own.issuer}/` }) },
  'the audience is another client': { forged: { claims: { aud: 'somebody-else' } } },
  'there are two audiences and the party is another one': {
    forged: { claims: { aud: ['platform', 'somebody-else'], azp: 'somebody-else' } },
  },
  'the nonce is another one': { forged: { claims: { nonce: 'guessed' } } },
  'there is no nonce': { forged: { claims: { nonce: undefined } } },
  'the token is over': { claims: () => ({ iat: now() - 7_200, exp: now() - 3_600 }) },
  'the token has no end': { forged: { claims: { exp: undefined } } },
  'the token is not valid yet': { claims: () => ({ nbf: now() + 3_600 }) },
  'the token is unsigned': { forged: { header: { alg: 'none' }, signedBy: 'nobody' } },
  'the signature is left out': { forged: { signedBy: 'nobody' } },
  'the signature is of another key': { forged: { signedBy: 'other' } },
  'the key is in the header': { forged: { header: { jku: 'http://127.0.0.1:1/keys', kid: 'mine' }, signedBy: 'other' } },
  'the algorithm is a shared secret': { forged: { header: { alg: 'HS256' }, signedBy: 'secret' } },
  'the algorithm makes a secret of the public key': { forged: { header: { alg: 'HS256' }, signedBy: 'public key' } },
  'the algorithm is of another kind of key': { forged: { header: { alg: 'ES256' } } },
  'the header is critical': { forged: { header: { crit: ['exp'] } } },
  'there is no subject': { forged: { claims: { sub: undefined } } },
  'the subject is empty': { forged: { claims: { sub: '' } } },
  'the address is not verified': { forged: { claims: { email_verified: false } } },
  'the address is verified by a text': { forged: { claims: { email_verified: 'true' } } },
  'there is no address': { forged: { claims: { email: undefined } } },
  'the address is a list': { claims: () => ({ email: ['new@example.org', 'ada@example.org'] }) },
  'the address is that of an account that no link confirmed': { forged: { claims: { email: 'ada@example.org' } } },
  'the address is that of a site admin': { forged: { claims: { email: 'root@example.org' } } },
  'the address is that of an inactive account': { forged: { claims: { email: 'gone@example.org' } } },
  'the address has an account of another subject': { forged: { claims: { email: 'bound@example.org' } } },
  'the account of the subject is inactive': { forged: { claims: { sub: 'gone', email: 'x@example.org' } } },
  'the state is another one': { callback: (honest) => changed(honest, 'state', 'guessed') },
  'there is no state': { callback: (honest) => without(honest, 'state') },
  'there is no code': { callback: (honest) => without(honest, 'code') },
  'the code is unknown': { callback: (honest) => changed(honest, 'code', 'guessed') },
  'the provider refuses': { callback: (honest) => changed(honest, 'error', 'access_denied') },
  'the answer is of another issuer': { callback: (honest, { other }) => changed(honest, 'iss', other.issuer) },
  'the callback is that of another provider': {
    callback: (honest) => honest.pathname.replace('/own/', '/other/') + honest.search,
  },
  'another browser comes back': { from: async (_, { world, baseUrl }) => openBrowser(world, baseUrl) },
  'another browser, which began as well, comes back': {
    from: async (_, { world, baseUrl }) => {
      const browser = openBrowser(world, baseUrl);
      await browser.get('/auth/oidc/own');
      return browser;
    },
  },
  'the cookie is altered': {
    from: async (own) => {
      const [[cookie, value]] = [...own.cookies] as [[string, string]];
      own.cookies.set(cookie, value.replace(/\.(.)/, (_, one: string) => `.${one === 'x' ? 'y' : 'x'}`));
      return own;
    },
  },
};

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using stack = new AsyncDisposableStack();
  const [own, other] = [stack.use(await startHostileProvider()), stack.use(await startHostileProvider())];
  const world = stack.use(await startWorld({
    hosts: organizationHosts,
    settings: {
      'http.baseURL': baseUrl,
      'auth.oidc': JSON.stringify([settingOf('own', own), settingOf('other', other)]),
    },
  }));
  const lies: Lies = { world, own, other, baseUrl };
  await people(lies);
  const random = seeded(String(seed));
  const names = Object.keys(attacks);
  const tries = Math.max(names.length, Math.round(whole * share));
  const wrong: string[] = [];
  for (let n = 0; n < tries; n += 1) {
    const named = n < names.length ? names[n]! : random.pick(names);
    const got = await attempt(lies, attacks[named]!, `try-${n}`);
    if (got !== 'nothing') wrong.push(`${named}: ${got}`);
  }
  report(`${tries} tries of ${names.length} kinds`);
  // The same flow without a forgery signs in once, and opens no other page.
  const honest = openBrowser(world, lies.baseUrl);
  const { path } = await begun(lies, honest, {}, 'honest');
  const underWay = new Map(honest.cookies);
  const first = await honest.get(path);
  if (first.header('location') !== `${lies.baseUrl}/contracts?x=1` || (await honest.get('/auth/session')).status !== 200) {
    wrong.push(`an honest sign-in is refused: ${first.status} ${first.header('location')}`);
  }
  // The returning browser has all cookies of the first one, and the provider accepts the code again.
  const again = openBrowser(world, lies.baseUrl);
  for (const [cookie, value] of underWay) again.cookies.set(cookie, value);
  if ((await again.get(path)).headerValues('set-cookie').some(isSession)) wrong.push('the code opened twice');
  for (const to of ['https://evil.example', '//evil.example', '/\\evil.example', 'evil', '/%0d%0aX: y\r\n', '']) {
    const { status } = await openBrowser(world, lies.baseUrl).get(`/auth/oidc/own?to=${encodeURIComponent(to)}`);
    if (status !== 400 && to !== '') wrong.push(`leads to ${to}: ${status}`);
  }
  return { figure: `${wrong.length} sessions of ${tries} tries`, holds: wrong.length === 0, counterexamples: wrong };
}

const isSession = (line: string) => line.startsWith('__Host-session=') && !line.includes('Max-Age=0');

const settingOf = (called: string, { issuer }: HostileProvider) => ({ name: called, title: called, issuer, ...hostileClient });

/** Accounts that the attacks target. */
async function people({ world, own }: Lies): Promise<void> {
  await world.person('ada');
  await world.person('root', { admin: true });
  const gone = await world.person('gone');
  const bound = await world.person('bound');
  await world.database.execute(sql`update account set confirmed_email = email where name in ('root', 'gone', 'bound')`);
  await world.database.execute(sql`update account set active = false where id = ${gone.id}`);
  for (const [subject, { id }] of [['gone', gone], ['first-subject', bound]] as const) {
    await world.database.execute(sql`insert into identity values (${own.issuer}, ${subject}, ${id})`);
  }
}

/** Begins a flow, and lets the provider issue a token for the code of the flow. */
async function begun({ own, baseUrl }: Lies, browser: Browser, forged: Forged, subject: string) {
  const answer = await browser.get('/auth/oidc/own?to=%2Fcontracts%3Fx%3D1');
  const asked = new URL(answer.header('location')!).searchParams;
  const code = randomBytes(12).toString('hex');
  const claims = { sub: subject, email: `${subject}@example.org`, email_verified: true, ...forged.claims };
  own.answer(code, asked.get('nonce')!, { ...forged, claims });
  const callback = new URL('/auth/oidc/own/callback', baseUrl);
  callback.search = new URLSearchParams({ code, state: asked.get('state')! }).toString();
  return { path: callback.pathname + callback.search, callback };
}

async function attempt(lies: Lies, attack: Attack, subject: string): Promise<string> {
  const browser = openBrowser(lies.world, lies.baseUrl);
  const forged = { ...attack.forged, claims: { ...attack.forged?.claims, ...attack.claims?.(lies) } };
  const { callback } = await begun(lies, browser, forged, subject);
  const path = attack.callback?.(new URL(callback), lies) ?? callback.pathname + callback.search;
  const from = (await attack.from?.(browser, lies)) ?? browser;
  // Browsers send these headers when they return from another site.
  const answer = await from.get(path, { 'sec-fetch-site': 'cross-site', 'origin': '' });
  if (answer.status >= 500) return `fails with ${answer.status}`;
  if (answer.headerValues('set-cookie').some(isSession)) return 'a session';
  const made = await lies.world.database.maybeOne(sql<{ n: number }>`
    select count(*) as n from identity where subject like 'try-%'`);
  return made!.n > 0 ? 'an identity' : 'nothing';
}
