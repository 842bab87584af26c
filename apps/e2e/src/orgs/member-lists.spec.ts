import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { loginsIn, type Organization, outcome, type Person, startAcme, type World } from './world.ts';

interface User { login: string; email: string; [field: string]: unknown }

let world: World, owner: Person, member: Person, outsider: Person, acme: Organization;
beforeAll(async () => {
  ({ world, owner, member, outsider, acme } = await startAcme());
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const systemAdmin = async (organization = acme) =>
  world.as(await world.operator.systemAdminToken(organization.username));
const setPrivate = (person: Person, isPrivate: boolean) =>
  world.database.execute(sql`update account set keep_email_private = ${isPrivate} where id = ${person.id}`);
const show = ({ http, username }: Person, path: string) => http.put(`${path}/public_members/${username}`);

describe('a user as others see the user (open-points 3.2)', () => {
  it('has every field of spec §2.2, and the times in UTC', async () => {
    const [user] = (await member.http.get('/api/v1/orgs/acme/members')).json<User[]>();
    expect(user).toEqual({
      id: owner.id, login: 'owner', username: 'owner', full_name: '', email: 'owner@example.org',
      avatar_url: expect.stringMatching(/\/avatars\/[0-9a-f]{32}$/), language: '', is_admin: false,
      last_login: '1970-01-01T00:00:00Z', created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/), type: 0,
      active: true, prohibit_login: false, location: '', website: '', description: '', orgAdmin: true,
      clientOrgUser: false,
    });
  });

  it('orgAdmin is of the organization asked for, clientOrgUser of any', async () => {
    const { boss, organization, people, path } = await world.organizationWith(1);
    const elsewhere = await world.organization(people[0]!);
    await world.database.execute(sql`update organization set org_type = 2 where id = ${elsewhere.id}`);
    const flags = async (at: string) => (await boss.http.get(at)).json<User[]>()
      .map(({ login, orgAdmin, clientOrgUser }) => [login, orgAdmin, clientOrgUser]);
    const expected = [[boss.username, true, false], [people[0]!.username, false, true]];
    expect(await flags(`${path}/members`)).toEqual(expected);
    expect(await flags(`/api/v1/teams/${organization.teams.Viewers}/members`)).toEqual([expected[1]]);
  });

  it('anonymous callers see nothing of the account', async () => {
    const { boss, people: [someone], path } = await world.organizationWith(1);
    await show(someone!, path);
    await world.database.execute(sql`
      update account set prohibit_login = true, active = false, language = 'de', last_login_at = now()
       where id = ${someone!.id}`);
    const seenBy = async (http: Person['http']) => (await http.get(`${path}/public_members`)).json<User[]>()[0]!;
    expect(await seenBy(world.nobody)).toMatchObject({
      is_admin: false, prohibit_login: false, active: true, last_login: '1970-01-01T00:00:00Z', language: '',
      email: expect.stringMatching(new RegExp(`^${someone!.username}@noreply\\.`)),
    });
    const inside = await seenBy(boss.http);
    const email = `${someone!.username}@example.org`;
    expect(inside).toMatchObject({ prohibit_login: true, active: false, language: 'de', email });
    expect(inside['last_login']).not.toBe('1970-01-01T00:00:00Z');
  });

  it('a site admin is one to members, not to nobody', async () => {
    const { organization, boss, path } = await world.organizationWith(0);
    const admin = await world.person(undefined, { admin: true });
    await world.join(boss, organization.teams.Viewers, admin);
    await show(admin, path);
    const asked = [boss.http, outsider.http, world.nobody].map((http) => http.get(`${path}/public_members`));
    const seen = (await Promise.all(asked)).map((answer) => answer.json<User[]>()[0]!['is_admin']);
    expect(seen).toEqual([true, true, false]);
  });
});

describe('the e-mail address shown (open-points 1.10)', () => {
  it('is the true one to the person and site admins only, if it is private', async () => {
    const { boss, organization, people: [someone, other], path } = await world.organizationWith(2);
    await show(someone!, path);
    await setPrivate(someone!, true);
    const hidden = expect.stringMatching(new RegExp(`^${someone!.username}@noreply\\.`));
    const open = `${someone!.username}@example.org`;
    const emailIn = async (http: Person['http'], list: string) =>
      (await http.get(list)).json<User[]>().find(({ login }) => login === someone!.username)!.email;
    for (const list of [`${path}/members`, `${path}/public_members`]) {
      for (const { http } of [someone!, world.siteAdmin]) expect(await emailIn(http, list)).toBe(open);
      const others = [boss.http, other!.http, outsider.http, await systemAdmin(organization), world.nobody];
      for (const http of others) expect(await emailIn(http, list)).toEqual(hidden);
    }
    const team = `/api/v1/teams/${organization.teams.Viewers}/members`;
    expect([await emailIn(boss.http, team), await emailIn(other!.http, team)]).toEqual([hidden, hidden]);
    const one = async (http: Person['http']) => (await http.get(`${team}/${someone!.username}`)).json<User>().email;
    expect([await one(boss.http), await one(other!.http)]).toEqual([hidden, hidden]);
  });

  it('an owner of another organization sees no more than others', async () => {
    const { people: [someone], path } = await world.organizationWith(1);
    await show(someone!, path);
    await setPrivate(someone!, true);
    const [seen] = (await owner.http.get(`${path}/members`)).json<User[]>();
    expect(seen!.email).toMatch(/@noreply\./);
  });
});

describe('GET /orgs/{orgname}/user/{username} (open-points 3.2, 3.3)', () => {
  it('answers the profile, also of a user who is no member', async () => {
    const answer = await member.http.get('/api/v1/orgs/acme/user/OUTSIDER');
    expect([outcome(answer), answer.json()]).toEqual(['200', {
      name: 'outsider', full_name: '', email: 'outsider@example.org', keep_email_private: false, website: '',
      location: '', language: '', description: '',
    }]);
  });

  it('keeps a private address from all but the person and site admins', async () => {
    const someone = await world.person();
    await world.join(owner, acme.teams.Viewers, someone);
    await setPrivate(someone, true);
    const seenBy = async (http: Person['http']) =>
      (await http.get(`/api/v1/orgs/acme/user/${someone.username}`)).json<User>();
    const [hidden, open] = [expect.stringMatching(/@noreply\./), `${someone.username}@example.org`];
    expect(await seenBy(member.http)).toMatchObject({ keep_email_private: true, email: hidden });
    expect((await seenBy(owner.http)).email).toEqual(hidden);
    for (const { http } of [someone, world.siteAdmin]) expect((await seenBy(http)).email).toBe(open);
  });

  it('400 for a user who is missing, inactive, prohibited, an organization or a system admin', async () => {
    const [inactive, prohibited] = [await world.person(), await world.person()];
    await world.database.execute(sql`update account set active = false where id = ${inactive.id}`);
    await world.database.execute(sql`update account set prohibit_login = true where id = ${prohibited.id}`);
    for (const name of ['nobody-here', inactive.username, prohibited.username, 'acme', acme.systemAdminName, '%20']) {
      for (const http of [member.http, world.siteAdmin.http]) {
        expect([name, outcome(await http.get(`/api/v1/orgs/acme/user/${name}`))]).toEqual([name, '400 invalid_value']);
      }
    }
  });

  it('is for members', async () => {
    expect(outcome(await outsider.http.get('/api/v1/orgs/acme/user/owner'))).toBe('403 not_org_member');
    expect(outcome(await world.nobody.get('/api/v1/orgs/acme/user/owner'))).toBe('401 unauthenticated');
    expect(outcome(await (await systemAdmin()).get('/api/v1/orgs/acme/user/owner'))).toBe('200');
  });
});

describe('GET /orgs/{orgname}/members and /public_members', () => {
  it('members, site admins and the organization itself see all, others who shows it', async () => {
    const { boss, organization, people, path } = await world.organizationWith(3);
    const shown = people[1]!;
    expect(outcome(await show(shown, path))).toBe('204');
    const all = [boss, ...people].map(({ username }) => username);
    const list = async (http: Person['http'], what = 'members') => loginsIn(await http.get(`${path}/${what}`));
    for (const http of [people[0]!.http, world.siteAdmin.http, await systemAdmin(organization)]) {
      expect(await list(http)).toEqual(all);
    }
    for (const http of [outsider.http, world.nobody, await systemAdmin()]) {
      expect(await list(http)).toEqual([shown.username]);
    }
    for (const http of [boss.http, world.siteAdmin.http, outsider.http, world.nobody]) {
      expect(await list(http, 'public_members')).toEqual([shown.username]);
    }
  });

  it('has each member once, also of several teams, and no system admin', async () => {
    const { boss, organization, people, path } = await world.organizationWith(2);
    await world.join(boss, organization.teams.Editors, ...people);
    await world.join(boss, organization.teams.Owners, people[0]!);
    const users = (await boss.http.get(`${path}/members`)).json<User[]>();
    expect(users.map(({ login, orgAdmin }) => [login, orgAdmin])).toEqual([
      [boss.username, true], [people[0]!.username, true], [people[1]!.username, false],
    ]);
  });

  it('is paged as open-points 1.8 says', async () => {
    const { boss, path, people } = await world.organizationWith(4);
    const page = async (query: string) => {
      const answer = await boss.http.get(`${path}/members${query}`);
      return [loginsIn(answer).length, answer.header('x-total-count'), answer.header('link')];
    };
    for (const query of ['', '?page=1&limit=0']) expect(await page(query)).toEqual([5, '5', undefined]);
    expect(await page('?limit=2')).toEqual([2, '5', expect.stringContaining('rel="next"')]);
    expect(await page('?limit=2&page=3')).toEqual([1, '5', expect.stringContaining('rel="prev"')]);
    expect(await page('?limit=2&page=9')).toEqual([0, '5', expect.stringMatching(/page=3.*rel="prev"/)]);
    const second = loginsIn(await boss.http.get(`${path}/members?limit=2&page=2`));
    expect(second).toEqual([people[1]!.username, people[2]!.username]);
    expect(outcome(await boss.http.get(`${path}/members?limit=-1`))).toBe('400 invalid_parameter');
    expect(outcome(await boss.http.get(`${path}/public_members?page=x`))).toBe('400 invalid_parameter');
    const empty = await boss.http.get(`${path}/public_members`);
    expect([empty.text, empty.header('x-total-count')]).toEqual(['[]', '0']);
  });

  it('of a private organization are missing to strangers', async () => {
    const boss = await world.person();
    const { username } = await world.organization(boss, { visibility: 'private' });
    for (const what of ['members', 'public_members', `members/${boss.username}`, `public_members/${boss.username}`]) {
      for (const http of [outsider.http, world.nobody]) {
        expect(outcome(await http.get(`/api/v1/orgs/${username}/${what}`))).toBe('404 not_found');
      }
    }
    expect(outcome(await boss.http.get(`/api/v1/orgs/${username}/members`))).toBe('200');
  });
});

describe('GET /orgs/{orgname}/members/{username} (open-points 3.3)', () => {
  it('answers members and site admins with 204 or 404', async () => {
    for (const http of [owner.http, member.http, world.siteAdmin.http, await systemAdmin()]) {
      expect(outcome(await http.get('/api/v1/orgs/acme/members/mEmBeR'))).toBe('204');
      for (const name of ['outsider', 'nobody-here', 'acme', acme.systemAdminName, '%2F']) {
        expect(outcome(await http.get(`/api/v1/orgs/acme/members/${name}`))).toBe('404 not_found');
      }
    }
  });

  it('a caller who is no member gets 404 about their own membership', async () => {
    expect(outcome(await outsider.http.get('/api/v1/orgs/acme/members/Outsider'))).toBe('404 not_found');
    const elsewhere = await world.organization(outsider);
    const own = `/api/v1/orgs/acme/members/${elsewhere.systemAdminName}`;
    expect(outcome(await (await systemAdmin(elsewhere)).get(own))).toBe('404 not_found');
  });

  it('others are sent on, without the query, whether or not there is such a user', async () => {
    for (const http of [outsider.http, world.nobody]) {
      for (const name of ['owner', 'nobody-here', 'acme', acme.systemAdminName, 'a%20b', '%2Fetc', '%C3%BC']) {
        const answer = await http.get(`/api/v1/orgs/acme/members/${name}?page=1&x=y`);
        expect([answer.status, answer.header('location'), answer.body.length])
          .toEqual([302, `/api/v1/orgs/acme/public_members/${name}`, 0]);
      }
    }
  });

  it('and learn there who shows it', async () => {
    const { people: [shown, hidden], path } = await world.organizationWith(2);
    await show(shown!, path);
    for (const http of [outsider.http, world.nobody, hidden!.http]) {
      expect(outcome(await http.get(`${path}/public_members/${shown!.username.toUpperCase()}`))).toBe('204');
      for (const name of [hidden!.username, 'nobody-here', 'acme', acme.systemAdminName]) {
        expect(outcome(await http.get(`${path}/public_members/${name}`))).toBe('404 not_found');
      }
    }
  });
});
