import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSignedLinks } from '@platform/files';
import { testSmtp, type TestSmtp } from '@platform/mail/fixtures';
import { sql } from '@platform/postgres';
import { ClientOrganizationAdminServiceService } from '@platform/proto/orgs/v1/client_organization';
import type { RpcClient } from '@platform/rpc';
import { Secret } from '@platform/service';
import { rpcClient, until } from '@platform/testing';
import { specCall } from '../operator.ts';
import { organizationHosts } from '../platform.ts';
import { codeIn, jobsOf, openBrowser } from './browser.ts';
import { atOnce, loginsIn, oneOf, type Organization, outcome, type Person, startWorld, type World } from './world.ts';

const baseUrl = 'https://platform.example.org';
const stack = new AsyncDisposableStack();
let smtp: TestSmtp, world: World, clients: RpcClient<typeof ClientOrganizationAdminServiceService>;
let made = 0;
/** How many times the mail server defers mails to an address. */
const putOff = new Map<string, number>();

beforeAll(async () => {
  smtp = stack.use(await testSmtp({
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, callback) => {
      const left = putOff.get(address) ?? 0;
      putOff.set(address, left - 1);
      callback(left > 0 ? Object.assign(new Error('try again'), { responseCode: 450 }) : null);
    },
  }));
  const settings = { 'mail.smtpURL': `smtp://${smtp.address}`, 'http.baseURL': baseUrl };
  world = stack.use(await startWorld({ hosts: organizationHosts, settings }));
  const { platform } = world;
  clients = await rpcClient(ClientOrganizationAdminServiceService, platform.services['orgs-teams'], platform);
}, 120_000);
afterAll(() => stack.disposeAsync());

/** Creates a client organization as the service `clusters` does. */
async function create(owner: string, email: string): Promise<string> {
  const name = `client-${(made += 1)}`;
  await clients.createClientOrganization({
    creation: randomUUID(), name, fullName: '', description: '', website: '', location: '', visibility: 'private',
    managerEndpoint: '', syncToken: undefined, owner, email,
  }, specCall());
  return name;
}

const mailsTo = (address: string) => smtp.taken.filter(({ to }) => to.includes(address));

/** Creates a client organization with a new user. @returns the path of the link in the mail to this user */
async function invite(user: string): Promise<string> {
  const email = `${user}@example.org`;
  const organization = await create(user, email);
  await until(() => mailsTo(email).length > 0, { within: 30_000, what: `the mail to ${user} arrives` });
  const text = mailsTo(email)[0]!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(text).toContain(`Subject: You own the organization ${organization}`);
  return /https:\/\/platform\.example\.org(\/links\/invitation\/\S+)/.exec(text)![1]!;
}

const userId = (path: string) => Number(/\d+/.exec(path)![0]);
/** A link to the same user with this expiry, signed with the platform's key or with another one. */
function linkTo(path: string, expires: number, key = world.platform.settings['orgs-teams']['secrets.encryptionKeys']!) {
  const purpose = 'platform invitations';
  const links = createSignedLinks({ prefix: '/links/invitation/', purpose, secrets: [new Secret(key)] });
  return links.sign(String(userId(path)), expires);
}

describe('a new user of a client organization', () => {
  it('gets a mail whose link gives one access token, once', async () => {
    const path = await invite('erin');
    const left = Number(/expires=(\d+)/.exec(path)![1]) - Date.now() / 1000;
    const week = 7 * 86_400;
    expect(left).toBeGreaterThan(week - 120);
    expect(left).toBeLessThanOrEqual(week);
    const shown = await world.nobody.get(path);
    expect([shown.status, shown.header('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(shown.text).toContain('<strong>erin</strong>');
    expect([shown.header('cache-control'), shown.header('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    // Opening the link does not accept the invitation.
    expect(outcome(await world.nobody.get(path))).toBe('200');
    const form = { body: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const answers = await atOnce(8, () => world.nobody.send('POST', path, form));
    expect(answers.map(outcome).sort()).toEqual(oneOf(8, '200', '409 conflict'));
    const [, token] = /<pre>([0-9a-f]{40})<\/pre>/.exec(answers.find(({ status }) => status === 200)!.text)!;
    expect(outcome(await world.as(token!).get('/api/v1/orgs/client-1/is-owner'))).toBe('200');
    expect(outcome(await world.nobody.get(path))).toBe('409 conflict');
    expect(mailsTo('erin@example.org')).toHaveLength(1);
    const log = world.platform.services['orgs-teams'].replicas.flatMap(({ log: lines }) => lines).join('\n');
    expect(log).not.toContain(token);
    expect(log).not.toContain(/signature=([\w-]+)/.exec(path)![1]);
  }, 60_000);

  it('cannot use a link that has expired or was altered, nor one of a user who may not sign in', async () => {
    const path = await invite('frank');
    const now = Math.floor(Date.now() / 1000);
    const other = await invite('grace');
    const refused = [
      linkTo(path, now - 1), linkTo(path, now + 3_600, 'f'.repeat(64)), path.replace(/\?.*/, ''),
      linkTo(path, now).replace(String(now), String(now + 60)), path.replace(/signature=.*/, 'signature='),
      path.replace(String(userId(path)), String(userId(other))),
      // A user who was not invited.
      linkTo(`/${world.siteAdmin.id}`, now + 3_600),
    ];
    for (const link of refused) {
      const outcomes = [outcome(await world.nobody.get(link)), outcome(await world.nobody.send('POST', link))];
      expect([link, ...outcomes]).toEqual([link, '403 forbidden', '403 forbidden']);
    }
    expect(outcome(await world.nobody.get(linkTo(path, now + 3_600)))).toBe('200');
    await world.database.execute(sql`update account set prohibit_login = true where name = 'frank'`);
    expect(outcome(await world.nobody.send('POST', path))).toBe('403 forbidden');
    expect(outcome(await world.nobody.get('/links/invitation/x?expires=1&signature=x'))).toBe('400 invalid_parameter');
  }, 60_000);

  it('is made once by creations at the same moment, and owns all organizations', async () => {
    for (const name of await atOnce(6, () => create('heidi', 'heidi@example.org'))) {
      expect(loginsIn(await world.siteAdmin.http.get(`/api/v1/orgs/${name}/members`))).toEqual(['heidi']);
    }
  });
});

it('a user whom the platform knows gets no invitation', async () => {
  const { username } = await world.person();
  await create(username, 'elsewhere@example.org');
  const invited = sql`select from invitation join account on id = user_id where name = ${username}`;
  expect(await world.database.query(invited)).toEqual([]);
  expect(await jobsOf(world, 'send-invitation')).toBe(0);
});

describe('an invitation into a team (open-points 18.1)', () => {
  const browser = () => openBrowser(world, baseUrl);
  let boss: Person, organization: Organization, path: string;
  beforeAll(async () => {
    ({ boss, organization } = await world.organizationWith(0));
    path = `/api/v1/orgs/${organization.username}/invitations`;
  });
  const invite = (email: string, teamID: number, { http } = boss) => http.post(path, { json: { email, teamID } });
  /** Opens a link in a new browser. */
  const open = async (code: string, username: string) =>
    outcome(await browser().post(`/auth/invitation/${code}`, { username }));

  it('makes an account and a member, once, in any browser, though sign-up is disabled', async () => {
    const settingsAt = '/api/v1/disable-registration?org=administration';
    await world.siteAdmin.http.post(settingsAt, { json: { disableRegistration: true } });
    const email = 'judy@example.org';
    const invited = await invite(email, organization.teams.Viewers);
    expect([invited.status, invited.json()]).toMatchObject([202, { email, team: 'Viewers', inviter: boss.username }]);
    const code = await codeIn(smtp, email, 'invitation');
    const link = `/auth/invitation/${code}`;
    expect((await browser().get(link)).status).toBe(405);
    // A request without a name does not use up the link.
    expect(outcome(await browser().post(link))).toBe('422 validation_failed');
    expect(await open(code, boss.username)).toBe('409 already_exists');
    const browsers = Array.from({ length: 8 }, browser);
    const tries = await Promise.all(browsers.map((one, index) => one.post(link, { username: `judy-${index}` })));
    expect(tries.map(outcome).sort()).toEqual(oneOf(8, '204', '403 link_expired'));
    const own = browsers[tries.findIndex(({ status }) => status === 204)]!;
    const { login } = (await own.get('/api/v1/user')).json<{ login: string }>();
    expect(loginsIn(await boss.http.get(`/api/v1/teams/${organization.teams.Viewers}/members`))).toContain(login);
    expect((await boss.http.get(path)).json()).toEqual([]);
    await world.siteAdmin.http.post(settingsAt, { json: { disableRegistration: false } });
  });

  it('signs the account of the address in', async () => {
    const kim = await world.person('kim');
    await invite('kim@example.org', organization.teams.Editors);
    const own = browser();
    const code = await codeIn(smtp, 'kim@example.org', 'invitation');
    expect(outcome(await own.post(`/auth/invitation/${code}`))).toBe('204');
    expect((await own.get('/auth/session')).json()).toMatchObject({ user: { login: 'kim' }, via: 'mail' });
    expect(outcome(await kim.http.get(`/api/v1/orgs/${organization.username}/teams`))).toBe('200');
  });

  it('rests on the rights of its inviter when it is accepted', async () => {
    const admin = await world.person();
    const json = { name: 'Admins', type: 'kubernetes', permission: 'admin' };
    const made = await boss.http.post(`/api/v1/orgs/${organization.username}/teams`, { json });
    const { id: adminsId } = made.json<{ id: number }>();
    await world.join(boss, adminsId, admin);
    expect(outcome(await invite('leo@example.org', organization.teams.Owners, admin))).toBe('403 forbidden');
    expect(outcome(await invite('leo@example.org', organization.teams.Viewers, admin))).toBe('202');
    const code = await codeIn(smtp, 'leo@example.org', 'invitation');
    await boss.http.delete(`/api/v1/teams/${adminsId}/members/${admin.username}`);
    expect(await open(code, 'leo')).toBe('403 link_expired');
    await world.join(boss, adminsId, admin);
    for (const [prohibited, expected] of [[true, '403 link_expired'], [false, '204']] as const) {
      await world.database.execute(sql`update account set prohibit_login = ${prohibited} where id = ${admin.id}`);
      expect(await open(code, 'leo')).toBe(expected);
    }
  });

  it('has one link at a time: the next one ends the one before', async () => {
    await invite('lea@example.org', organization.teams.Viewers);
    const first = await codeIn(smtp, 'lea@example.org', 'invitation');
    await invite('lea@example.org', organization.teams.Viewers);
    const second = await codeIn(smtp, 'lea@example.org', 'invitation', 1);
    expect([await open(first, 'lea'), await open(second, 'lea')]).toEqual(['403 link_expired', '204']);
  });

  it('is seen and withdrawn by those who may add people to the team, and by nobody else', async () => {
    const [viewer, stranger] = [await world.person(), await world.person()];
    await world.join(boss, organization.teams.Viewers, viewer);
    const { id } = (await invite('mia@example.org', organization.teams.Owners)).json<{ id: number }>();
    const code = await codeIn(smtp, 'mia@example.org', 'invitation');
    const listed = async ({ http }: Person) => (await http.get(path)).json<{ id: number }[]>();
    expect((await listed(boss)).map((one) => one.id)).toEqual([id]);
    expect(await listed(viewer)).toEqual([]);
    const tries = [
      await viewer.http.delete(`${path}/${id}`), await stranger.http.delete(`${path}/${id}`),
      await invite('mia@example.org', organization.teams.Viewers, viewer), await stranger.http.get(path),
    ];
    expect(tries.map(outcome)).toEqual(['404 not_found', '403 not_org_member', '403 forbidden', '403 not_org_member']);
    expect(outcome(await boss.http.delete(`${path}/${id}`))).toBe('204');
    expect(await open(code, 'mia')).toBe('403 link_expired');
  });

  /** Runs the jobs that mail invitations, without the waits between their attempts, until they are done. */
  const mailed = () => until(async () => {
    await world.database.execute(sql`
      update _private_jobs job set run_at = now() from _private_tasks task
       where task.id = job.task_id and task.identifier = 'send-team-invitation' and job.locked_at is null`);
    return (await jobsOf(world, 'send-team-invitation')) === 0;
  }, { within: 30_000, what: 'the invitations are mailed' });

  it('is mailed as soon as the mail server takes it, however often that failed', async () => {
    putOff.set('olga@example.org', 5);
    await invite('olga@example.org', organization.teams.Viewers);
    await mailed();
    expect(mailsTo('olga@example.org')).toHaveLength(1);
    const { noted } = await world.database.one(sql<{ noted: number }>`
      select cardinality(mailed_at) as noted from team_invitation where email = 'olga@example.org'`);
    expect(noted).toBe(1);
  });

  it('is mailed at most 3 times an hour to an address, which the log says', async () => {
    const { Viewers, Editors, Owners } = organization.teams;
    await Promise.all([Viewers, Editors, Owners, Viewers, Editors, Owners].map((teamId, index) =>
      invite(index % 2 ? 'PIA@example.org' : 'pia@example.org', teamId)));
    await mailed();
    for (const teamId of [Viewers, Editors, Owners, Viewers]) {
      await invite('pia@example.org', teamId);
      await mailed();
    }
    expect([...mailsTo('pia@example.org'), ...mailsTo('PIA@example.org')]).toHaveLength(3);
    const log = world.platform.services['orgs-teams'].replicas.flatMap(({ log: lines }) => lines);
    expect(log.filter((line) => line.includes('a mail was not sent')).length).toBeGreaterThan(0);
  });

  it('is one of at most 1000 open ones, of which each can still be renewed', async () => {
    const full = await world.organization(boss);
    const asked = async (email: string) => outcome(await boss.http.post(`/api/v1/orgs/${full.username}/invitations`, {
      json: { email, teamID: full.teams.Viewers },
    }));
    await world.database.execute(sql`
      insert into team_invitation (organization_id, team_id, inviter_id, email)
      select ${full.id}, ${full.teams.Viewers}, ${boss.id}, 'open-' || n || '@example.org' from generate_series(1, 1000) n`);
    expect([await asked('late@example.org'), await asked('OPEN-1@example.org')]).toEqual(['400 invalid_value', '202']);
    await world.database.execute(sql`
      update team_invitation set expires_at = now() where organization_id = ${full.id} and email = 'open-2@example.org'`);
    expect(await asked('late@example.org')).toBe('202');
  });

  it('is refused for a team of another organization and for what is no address', async () => {
    const other = await world.organization(await world.person());
    expect(outcome(await invite('nia@example.org', other.teams.Viewers))).toBe('404 not_found');
    expect(outcome(await invite('nia', organization.teams.Viewers))).toBe('422 validation_failed');
    const json = { email: 'nia@example.org' };
    expect(outcome(await boss.http.post(path, { json }))).toBe('422 validation_failed');
  });
});
