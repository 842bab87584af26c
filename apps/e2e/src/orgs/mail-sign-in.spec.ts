import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testSmtp, type TestSmtp } from '@platform/mail/fixtures';
import { sql } from '@platform/postgres';
import { until } from '@platform/testing';
import { specCall } from '../operator.ts';
import { organizationHosts } from '../platform.ts';
import { type Browser, codeIn, jobsOf, openBrowser, textOf } from './browser.ts';
import { atOnce, oneOf, outcome, type Person, startWorld, type World } from './world.ts';

const baseUrl = 'https://platform.example.org';
const stack = new AsyncDisposableStack();
let smtp: TestSmtp, world: World, ada: Person;
const browser = () => openBrowser(world, baseUrl);

beforeAll(async () => {
  smtp = stack.use(await testSmtp({ disabledCommands: ['STARTTLS'] }));
  const settings = { 'mail.smtpURL': `smtp://${smtp.address}`, 'http.baseURL': baseUrl };
  world = stack.use(await startWorld({ hosts: organizationHosts, settings }));
  ada = await world.person('ada');
}, 120_000);
afterAll(() => stack.disposeAsync());

const mailsTo = (address: string) => smtp.taken.filter(({ to }) => to.includes(address)).map(({ raw }) => textOf(raw));
/** Waits until all requests for links are processed, with or without a mail. */
const answered = () => until(async () => (await jobsOf(world, 'answer-sign-in-request')) === 0, {
  within: 30_000, what: 'the requests are answered',
});
const ask = (from: Browser, email: string) => from.post('/auth/sign-in/mail', { email });
/** A browser that asked for a link, and the code of the link. */
async function asked(email: string) {
  const own = browser();
  await ask(own, email);
  return { own, code: await codeIn(smtp, email, 'mail') };
}
const whoIs = async (one: Browser) => {
  const answer = await one.get('/auth/session');
  return answer.status === 200 ? answer.json<{ user: { login: string }; via: string }>() : answer.status;
};

describe('signing in by mail', () => {
  it('is the same answer whether or not the address has an account', async () => {
    const answers = await Promise.all(['ada@example.org', 'nobody@example.org'].map((email) => ask(browser(), email)));
    for (const answer of answers) {
      expect([answer.status, answer.text]).toEqual([202, '']);
      expect(answer.headerValues('set-cookie')).toEqual([expect.stringMatching(
        /^__Host-browser=[0-9a-f]{40}; HttpOnly; Secure; SameSite=Lax; Path=\/; Max-Age=3600$/)]);
    }
    await answered();
    expect(mailsTo('nobody@example.org')).toEqual([]);
  });

  it('works once, in the browser that asked, by POST', async () => {
    const [own, other] = [browser(), browser()];
    await ask(own, 'Ada@Example.org');
    await ask(other, 'nobody@example.org');
    const code = await codeIn(smtp, 'ada@example.org', 'mail', 1);
    // A mail scanner requests the link without its fragment, and guesses further addresses.
    await own.get('/sign-in');
    expect((await own.get(`/auth/sign-in/mail/${code}`)).status).toBe(405);
    expect(outcome(await other.post(`/auth/sign-in/mail/${code}`))).toBe('403 link_expired');
    expect(outcome(await browser().post(`/auth/sign-in/mail/${code}`))).toBe('403 link_expired');
    // A code of one kind is not valid as another.
    expect(outcome(await own.post(`/auth/sign-up/${code}`))).toBe('403 link_expired');
    const tries = await atOnce(8, () => own.post(`/auth/sign-in/mail/${code}`));
    expect(tries.map(outcome).sort()).toEqual(oneOf(8, '204', '403 link_expired'));
    expect(await whoIs(own)).toMatchObject({ via: 'mail', user: { login: 'ada' } });
    expect(await whoIs(other)).toBe(401);
    expect(await world.database.maybeOne(sql`
      select actor from audit where action = 'session.begin' and actor_id = ${ada.id} and details->>'via' = 'mail'`))
      .toEqual({ actor: 'ada' });
  });

  it('sends at most 3 mails an hour to an address', async () => {
    await world.person('greta');
    for (let n = 0; n < 5; n += 1) await ask(browser(), n % 2 ? 'greta@example.org' : 'GRETA@example.org');
    await answered();
    expect(mailsTo('greta@example.org')).toHaveLength(3);
  });

  it('reaches an account that may sign in behind many of the same address that may not', async () => {
    await world.database.execute(sql`
      insert into account (kind, name, email, active)
      select 'person', 'shared-' || n, 'shared@example.org', n = 6 from generate_series(1, 6) n`);
    const { own, code } = await asked('shared@example.org');
    expect(outcome(await own.post(`/auth/sign-in/mail/${code}`))).toBe('204');
    expect(await whoIs(own)).toMatchObject({ user: { login: 'shared-6' } });
  });

  it('opens nothing for accounts that may not sign in, with another address by now, or too late', async () => {
    const cases: Readonly<Record<string, (id: number, login: string) => Promise<unknown>>> = {
      inactive: (_, username) => world.operator.admin.updateUser({ username, active: false }, specCall()),
      prohibited: (_, username) => world.operator.admin.updateUser({ username, prohibitLogin: true }, specCall()),
      moved: (id) => world.database.execute(sql`update account set email = 'elsewhere@example.org' where id = ${id}`),
      late: () => world.database.execute(sql`update sign_in_code set expires_at = now()`),
    };
    for (const [login, change] of Object.entries(cases)) {
      const { id } = await world.person(login);
      const { own, code } = await asked(`${login}@example.org`);
      await change(id, login);
      expect([login, outcome(await own.post(`/auth/sign-in/mail/${code}`))]).toEqual([login, '403 link_expired']);
    }
    await ask(browser(), 'inactive@example.org');
    await answered();
    expect(mailsTo('inactive@example.org')).toHaveLength(1);
  });

  it('keeps keyed hashes alone, and logs no code', async () => {
    await world.person('hana');
    const { own, code } = await asked('hana@example.org');
    await own.post(`/auth/sign-in/mail/${code}`);
    const secrets = [code, ...own.cookies.values()];
    const rows = await world.database.query(sql<{ row: string }>`
      select to_jsonb(c)::text as row from sign_in_code c union all select to_jsonb(r)::text from sign_in_request r
      union all select to_jsonb(a)::text from audit a union all select to_jsonb(t)::text from access_token t`);
    const logs = Object.values(world.platform.services).flatMap(({ replicas }) => replicas.flatMap(({ log }) => log));
    const shown = [...rows.map(({ row }) => row), ...logs].filter((text) => secrets.some((secret) => text.includes(secret)));
    expect(shown).toEqual([]);
  });

  it.each([
    ['no address', { email: 'ada' }, {}, '422 validation_failed'],
    ['another page', { email: 'ada@example.org' }, { origin: 'https://evil.example' }, '403 forbidden'],
  ])('is refused to %s', async (_what, json, headers, expected) => {
    const answer = await world.nobody.post('/auth/sign-in/mail', { json, headers: { origin: baseUrl, ...headers } });
    expect(outcome(answer)).toBe(expected);
  });
});

describe('a token that is about to end', () => {
  it('is announced to its person once, if it lasts longer than 7 days', async () => {
    const { id } = await world.person('tess');
    const token = (name: string, made: number, end: number) => sql`
      insert into access_token (account_id, account_kind, name, hash, last_eight, created_at, expires_at)
      values (${id}, 'person', ${name}, sha256(${name}::bytea), '12345678', now() - ${made}::integer * interval '1 day',
              now() + ${end}::integer * interval '1 day')`;
    const tokens = [token('deploy', 83, 6), token('later', 82, 8), token('short', 0, 1), token('over', 90, -1)];
    for (const one of tokens) await world.database.execute(one);
    const run = async () => {
      const { at } = await world.database.one(sql<{ at: Date }>`select now() as at`);
      await world.database.execute(sql`update _private_jobs set run_at = now() where key = 'schedule:ending-tokens'`);
      await until(async () => {
        const next = await world.database.maybeOne(sql<{ at: Date }>`
          select run_at as at from _private_jobs where key = 'schedule:ending-tokens' and locked_at is null`);
        return next !== undefined && next.at.getTime() > at.getTime() + 60_000;
      }, { within: 30_000, what: 'the schedule has run' });
    };
    await run();
    await run();
    await until(() => mailsTo('tess@example.org').length > 0, { within: 30_000, what: 'the mail arrives' });
    expect(mailsTo('tess@example.org')).toEqual([expect.stringContaining('deploy')]);
  });
});

describe('signing up', () => {
  const signUp = (from: Browser, username: string, email = `${username}@example.org`) =>
    from.post('/auth/sign-up', { username, email, full_name: 'Ines Example' });

  it('makes an account by the link of a mail, once, in the browser that asked', async () => {
    const own = browser();
    expect(outcome(await signUp(own, 'ines'))).toBe('202');
    const code = await codeIn(smtp, 'ines@example.org', 'sign-up');
    expect(outcome(await browser().post(`/auth/sign-up/${code}`))).toBe('403 link_expired');
    const tries = await atOnce(8, () => own.post(`/auth/sign-up/${code}`));
    expect(tries.map(outcome).sort()).toEqual(oneOf(8, '204', '403 link_expired'));
    expect((await own.get('/api/v1/user')).json()).toMatchObject({
      login: 'ines', full_name: 'Ines Example', email: 'ines@example.org', active: true, is_admin: false,
    });
    expect(outcome(await own.post('/api/v1/orgs', { username: 'of-ines' }))).toBe('201');
  });

  it('answers the same for an address that has an account, which a mail says', async () => {
    const [known, unknown] = [await signUp(browser(), 'second', 'ada@example.org'), await signUp(browser(), 'third')];
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    await answered();
    const mail = mailsTo('ada@example.org').at(-1);
    expect(mail).toContain('already has an account');
    expect(mail).not.toContain('#sign-up=');
  });

  it('makes one account of an address, however often it is asked for', async () => {
    const browsers = [browser(), browser()];
    const codes: string[] = [];
    for (const [index, own] of browsers.entries()) {
      await signUp(own, `twin-${index}`, 'twin@example.org');
      codes.push(await codeIn(smtp, 'twin@example.org', 'sign-up', index));
    }
    const answers = await Promise.all(browsers.map((own, index) => own.post(`/auth/sign-up/${codes[index]}`)));
    expect(answers.map(outcome).sort()).toEqual(['204', '403 link_expired']);
  });

  it('is refused where it is disabled, for other domains, and for names that are taken', async () => {
    const { http } = world.siteAdmin;
    const own = browser();
    await signUp(own, 'jana');
    const code = await codeIn(smtp, 'jana@example.org', 'sign-up');
    const finish = () => own.post(`/auth/sign-up/${code}`);
    await http.post('/api/v1/disable-registration?org=administration', { json: { disableRegistration: true } });
    expect(outcome(await signUp(browser(), 'kilo'))).toBe('403 registration_disabled');
    expect(outcome(await finish())).toBe('403 registration_disabled');
    await http.post('/api/v1/disable-registration?org=administration', { json: { disableRegistration: false } });
    await http.post('/api/v1/allowed-domains?org=administration', { json: { name: 'example.com' } });
    const tries = [await signUp(browser(), 'kilo'), await signUp(browser(), 'kilo', 'kilo@sub.example.com')];
    for (const answer of [...tries, await finish()]) expect(outcome(answer)).toBe('400 invalid_domain');
    expect(outcome(await signUp(browser(), 'kilo', 'kilo@EXAMPLE.com'))).toBe('202');
    await http.patch('/api/v1/allowed-domains?org=administration', { json: { name: 'example.com' } });
    expect(outcome(await signUp(browser(), 'ADA', 'other@example.org'))).toBe('409 already_exists');
    expect(outcome(await signUp(browser(), 'no name', 'other@example.org'))).toBe('422 validation_failed');
    // The earlier attempts were refused, so the link still works.
    await world.person('JANA');
    await world.database.execute(sql`update account set email = 'jana@example.net' where name = 'JANA'`);
    expect(outcome(await finish())).toBe('409 already_exists');
  });
});
