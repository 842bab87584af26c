import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { organizationHosts } from '../platform.ts';
import { loginsIn, type Organization, outcome, type Person, startWorld, type World } from './world.ts';

let world: World, owner: Person, admin: Person, viewer: Person, outsider: Person, acme: Organization;
/** A team with the built-in right `admin`. */
let admins: number;
beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts });
  [owner, admin] = [await world.person('owner'), await world.person('admin1')];
  [viewer, outsider] = [await world.person('viewer'), await world.person('outsider')];
  acme = await world.organization(owner, { username: 'Acme' });
  admins = await team(acme, 'Admins', 'admin');
  await world.join(owner, admins, admin);
  await world.join(owner, acme.teams.Viewers, viewer);
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

/** Inserts another team; triggers do the rest. */
async function team(organization: Organization, name: string, permission: string): Promise<number> {
  const { id } = await world.database.one(sql<{ id: number }>`
    insert into team (organization_id, name, permission) values (${organization.id}, ${name}, ${permission})
    returning id`);
  return id;
}

const act = (http: Person['http'], teamId: number, action: string, query: string, { username } = acme) =>
  http.post(`/api/v1/orgs/${username}/teams/${teamId}/action/${action}?${query}`);
const membersOf = (teamId: number) => `/api/v1/teams/${teamId}/members`;
const put = (http: Person['http'], teamId: number, name: string, query = '') =>
  http.put(`${membersOf(teamId)}/${name}${query}`);
const remove = (http: Person['http'], teamId: number, name: string) => http.delete(`${membersOf(teamId)}/${name}`);
const deactivate = ({ id }: Person) => world.database.execute(sql`update account set active = false where id = ${id}`);
const systemAdmin = async () => world.as(await world.operator.systemAdminToken('acme'));
const loginsOf = async (teamId: number) => loginsIn(await owner.http.get(membersOf(teamId)));
const isMember = async (person: Person) =>
  (await owner.http.get(`/api/v1/orgs/acme/members/${person.username}`)).status === 204;

describe('being in a team is being in the organization (open-points 3.3)', () => {
  it('adding makes a private member, taking out of the last team ends it and its visibility', async () => {
    const person = await world.person();
    await world.join(owner, acme.teams.Viewers, person);
    await world.join(owner, acme.teams.Editors, person);
    const shown = async () => (await world.nobody.get(`/api/v1/orgs/acme/public_members/${person.username}`)).status;
    expect([await isMember(person), await shown()]).toEqual([true, 404]);
    await person.http.put(`/api/v1/orgs/acme/public_members/${person.username}`);
    expect(await shown()).toBe(204);
    expect(outcome(await remove(owner.http, acme.teams.Viewers, person.username))).toBe('204');
    expect([await isMember(person), await shown()]).toEqual([true, 204]);
    expect(outcome(await remove(owner.http, acme.teams.Editors, person.username))).toBe('204');
    expect([await isMember(person), await shown()]).toEqual([false, 404]);
  });

  it('removed and added again: each holds with the next request, and the membership is private again', async () => {
    const person = await world.person();
    const at = membersOf(acme.teams.Viewers);
    for (let round = 0; round < 5; round += 1) {
      expect(outcome(await owner.http.put(`${at}/${person.username}`))).toBe('204');
      expect(outcome(await person.http.get(at))).toBe('200');
      expect(outcome(await world.nobody.get(`/api/v1/orgs/acme/public_members/${person.username}`))).toBe('404 not_found');
      await person.http.put(`/api/v1/orgs/acme/public_members/${person.username}`);
      expect(outcome(await owner.http.delete(`${at}/${person.username}`))).toBe('204');
      expect(outcome(await person.http.get(at))).toBe('404 not_found');
      expect(outcome(await person.http.get('/api/v1/orgs/acme/user/owner'))).toBe('403 not_org_member');
    }
  });
});

describe('GET /teams/{teamid}/members and /{username}', () => {
  it('list and show members, to members of the team and viewers of the organization', async () => {
    for (const http of [owner.http, viewer.http, world.siteAdmin.http, await systemAdmin()]) {
      const list = await http.get(membersOf(admins));
      expect([outcome(list), list.header('x-total-count')]).toEqual(['200', '1']);
      const one = await http.get(`/api/v1/teams/${admins}/members/ADMIN1`);
      expect([outcome(one), one.json()]).toEqual(['200', list.json<unknown[]>()[0]]);
    }
  });

  it('is paged', async () => {
    const people = await Array.fromAsync({ length: 3 }, () => world.person());
    const id = await team(acme, 'paged', 'none');
    await world.join(owner, id, ...people);
    const answer = await owner.http.get(`${membersOf(id)}?limit=2&page=2`);
    expect(loginsIn(answer)).toEqual([people[2]!.username]);
    expect(answer.header('x-total-count')).toBe('3');
    expect(answer.header('link')).toContain('rel="first"');
  });

  it('404 for users who are not in it', async () => {
    for (const name of ['viewer', 'outsider', 'nobody-here', 'acme', acme.systemAdminName, '%2F']) {
      for (const verb of ['GET', 'DELETE']) {
        const answer = await owner.http.send(verb, `/api/v1/teams/${admins}/members/${name}`);
        expect([verb, name, outcome(answer)]).toEqual([verb, name, '404 not_found']);
      }
    }
  });

  it('a member without the relation is refused, except for their own team', async () => {
    const [plain, other] = [await team(acme, 'plain', 'none'), await team(acme, 'other', 'none')];
    const person = await world.person();
    await world.join(owner, plain, person);
    expect(outcome(await person.http.get(`/api/v1/teams/${plain}/members`))).toBe('200');
    expect(outcome(await person.http.get(`/api/v1/teams/${other}/members`))).toBe('403 forbidden');
    expect(outcome(await person.http.get(`/api/v1/teams/${other}/members/${person.username}`))).toBe('403 forbidden');
  });
});

describe('PUT /teams/{teamid}/members/{username} (open-points 3.5, 3.6)', () => {
  it('is 204 each time, in any case of the name', async () => {
    const person = await world.person();
    expect(outcome(await put(owner.http, acme.teams.Viewers, person.username))).toBe('204');
    expect(outcome(await put(owner.http, acme.teams.Viewers, person.username.toUpperCase()))).toBe('204');
    expect((await loginsOf(acme.teams.Viewers)).filter((login) => login === person.username)).toHaveLength(1);
  });

  it('no such user 404, an organization 400, an inactive one 400 unless in it already', async () => {
    const person = await world.person();
    for (const name of ['nobody-here', acme.systemAdminName, '%20']) {
      expect(outcome(await put(owner.http, acme.teams.Viewers, name))).toBe('404 not_found');
    }
    expect(outcome(await put(owner.http, acme.teams.Viewers, 'acme'))).toBe('400 target_is_organization');
    await world.join(owner, acme.teams.Viewers, person);
    await deactivate(person);
    expect(outcome(await put(owner.http, acme.teams.Viewers, person.username))).toBe('204');
    expect(outcome(await put(owner.http, acme.teams.Editors, person.username))).toBe('400 invalid_value');
  });

  it('an organization that the caller may not see is no such user, and no text names the target', async () => {
    const [inactive, stranger] = [await world.person(), await world.person()];
    await deactivate(inactive);
    const hidden = await world.organization(stranger, { username: 'hidden-one', visibility: 'private' });
    const limited = await world.organization(stranger, { username: 'limited-one', visibility: 'limited' });
    const own = await world.organization(owner, { username: 'own-hidden', visibility: 'private' });
    for (const [target, expected] of [
      [hidden, '404 not_found'], [limited, '400 target_is_organization'], [own, '400 target_is_organization'],
      [inactive, '400 invalid_value'],
    ] as const) {
      const added = await act(owner.http, acme.teams.Viewers, 'add', `uid=${target.id}`);
      for (const answer of [await put(owner.http, acme.teams.Viewers, target.username), added]) {
        expect([target.username, outcome(answer)]).toEqual([target.username, expected]);
        expect(answer.json<{ message: string }>().message).not.toContain(target.username);
      }
      const removing = await act(owner.http, acme.teams.Viewers, 'remove', `uid=${target.id}`);
      expect(removing.text).not.toContain(target.username);
    }
    expect(outcome(await put(world.siteAdmin.http, acme.teams.Viewers, 'hidden-one'))).toBe('400 target_is_organization');
    const again = await act(owner.http, acme.teams.Viewers, 'add', `uid=${viewer.id}`);
    expect([outcome(again), again.text.includes(viewer.username)]).toEqual(['409 already_member', false]);
  });

  it('is for admins, on Owners for owners, and never for the token of the organization', async () => {
    const person = await world.person();
    expect(outcome(await put(viewer.http, acme.teams.Viewers, person.username))).toBe('403 forbidden');
    expect(outcome(await put(await systemAdmin(), acme.teams.Viewers, person.username))).toBe('403 forbidden');
    expect(outcome(await put(admin.http, acme.teams.Owners, person.username))).toBe('403 forbidden');
    expect(outcome(await put(admin.http, acme.teams.Editors, person.username))).toBe('204');
    expect(outcome(await put(owner.http, acme.teams.Owners, person.username))).toBe('204');
    expect(outcome(await put(world.siteAdmin.http, acme.teams.Viewers, person.username))).toBe('204');
  });

  it('keeps the wish for cluster bindings of an owner, once, and drops it with the membership', async () => {
    const person = await world.person();
    const wishes = async () => world.database.query(sql`
      select organization_id as "organizationId" from cluster_connection where user_id = ${person.id}`);
    const { Owners, Editors } = acme.teams;
    const wish = async (teamId: number, value: string) =>
      outcome(await put(owner.http, teamId, person.username, `?autoConnectClusters=${value}`));
    expect([await wish(Editors, 'true'), await wish(Owners, 'false')]).toEqual(['204', '204']);
    expect(await wishes()).toEqual([]);
    for (const value of ['TRUE', '1']) {
      expect(await wish(Owners, value)).toBe('204');
      expect(await wishes()).toEqual([{ organizationId: acme.id }]);
    }
    expect(outcome(await remove(owner.http, Owners, person.username))).toBe('204');
    expect(await wishes()).toEqual([]);
    for (const value of ['', 'yes']) expect(await wish(Owners, value)).toBe('400 invalid_parameter');
  });
});

describe('nobody gives by adding more than the caller holds (open-points 2.7)', () => {
  /** A caller whose only right is to manage members, and teams with fewer and more rights than that. */
  async function manager() {
    const organization = await world.organization(owner);
    const managers = await team(organization, 'managers', 'custom');
    const role = async (name: string, action: string, teamId: number) => {
      const { id } = await world.database.one(sql<{ id: number }>`
        insert into role (organization_id, name) values (${organization.id}, ${name}) returning id`);
      await world.database.execute(sql`
        insert into role_permission (role_id, organization_id, namespace, action)
        values (${id}, ${organization.id}, 'team_mgmt', ${action})`);
      await world.database.execute(sql`
        insert into team_role (role_id, team_id, organization_id) values (${id}, ${teamId}, ${organization.id})`);
    };
    await role('manage', 'manage members', managers);
    const nothing = await team(organization, 'nothing', 'none');
    const [same, more] = [await team(organization, 'same', 'custom'), await team(organization, 'more', 'custom')];
    await role('manage too', 'manage members', same);
    await role('delete', 'delete teams', more);
    const person = await world.person();
    await world.join(owner, managers, person);
    return { organization, person, teams: { nothing, same, more, viewers: organization.teams.Viewers } };
  }

  it('by PUT and by add, right and roles', async () => {
    const { organization, person, teams } = await manager();
    const { nothing, same, more, viewers } = teams;
    const refused = '403 privilege_escalation';
    for (const [id, expected] of [[nothing, '2xx'], [same, '2xx'], [more, refused], [viewers, refused]] as const) {
      const [one, other] = [await world.person(), await world.person()];
      const added = await act(person.http, id, 'add', `uid=${other.id}`, organization);
      const answers = [await put(person.http, id, one.username), added];
      expect(answers.map((answer) => outcome(answer).replace(/^20[04]$/, '2xx'))).toEqual([expected, expected]);
    }
  });

  it('somebody already in the team is no addition', async () => {
    const { organization, person, teams } = await manager();
    const someone = await world.person();
    await world.join(owner, teams.viewers, someone);
    expect(outcome(await put(person.http, teams.viewers, someone.username))).toBe('204');
    expect(outcome(await act(person.http, teams.viewers, 'add', `uid=${someone.id}`, organization))).toBe('409 already_member');
    expect(outcome(await put(person.http, teams.viewers, person.username))).toBe('403 privilege_escalation');
  });

  it('removing is never escalation', async () => {
    const { person, teams } = await manager();
    const someone = await world.person();
    await world.join(owner, teams.viewers, someone);
    expect(outcome(await remove(person.http, teams.viewers, someone.username))).toBe('204');
  });
});

describe('POST /orgs/{orgname}/teams/{teamid}/action/{action} (open-points 3.5, 3.6)', () => {
  it('add and remove', async () => {
    const person = await world.person();
    const change = ({ http }: Person, action: string) => act(http, acme.teams.Editors, action, `uid=${person.id}`);
    const answer = await change(admin, 'add');
    expect([outcome(answer), answer.body.length]).toEqual(['200', 0]);
    expect(outcome(await change(admin, 'add'))).toBe('409 already_member');
    expect(outcome(await change(viewer, 'remove'))).toBe('403 forbidden');
    expect(outcome(await change(admin, 'remove'))).toBe('200');
    expect(outcome(await change(admin, 'remove'))).toBe('404 not_found');
  });

  it('uname must name the account of uid', async () => {
    const person = await world.person();
    const add = (uname: string) => act(owner.http, acme.teams.Viewers, 'add', `uid=${person.id}&uname=${uname}`);
    for (const uname of ['owner', 'nobody-here', acme.systemAdminName, '']) {
      expect(outcome(await add(uname))).toBe('400 invalid_value');
    }
    expect(outcome(await add(person.username.toUpperCase()))).toBe('200');
  });

  it('whom it may concern', async () => {
    const inactive = await world.person();
    await deactivate(inactive);
    for (const action of ['add', 'remove']) {
      for (const [query, expected] of [
        ['uid=999999', '404 not_found'], [`uid=${acme.systemAdminId}`, '404 not_found'],
        [`uid=${acme.id}`, '400 target_is_organization'], ['', '400 invalid_parameter'],
        ['uid=x', '400 invalid_parameter'], [`uid=${viewer.id}&uid=${viewer.id}`, '400 invalid_parameter'],
      ] as const) {
        const answer = await act(owner.http, acme.teams.Viewers, action, query);
        expect([action, query, outcome(answer)]).toEqual([action, query, expected]);
      }
    }
    expect(outcome(await act(owner.http, acme.teams.Viewers, 'add', `uid=${inactive.id}`))).toBe('400 invalid_value');
    expect(outcome(await act(owner.http, acme.teams.Viewers, 'kick', `uid=${viewer.id}`))).toBe('400 invalid_parameter');
  });

  it('join is for owners and for oneself', async () => {
    expect(outcome(await act(admin.http, acme.teams.Editors, 'join', `uid=${admin.id}`))).toBe('403 forbidden');
    expect(outcome(await act(owner.http, acme.teams.Editors, 'join', `uid=${viewer.id}`))).toBe('403 not_self');
    expect(outcome(await act(owner.http, acme.teams.Editors, 'join', `uid=${owner.id}`))).toBe('200');
    expect(outcome(await act(owner.http, acme.teams.Editors, 'join', `uid=${owner.id}`))).toBe('409 already_member');
    expect(await loginsOf(acme.teams.Editors)).toContain('owner');
    expect(outcome(await act(owner.http, acme.teams.Editors, 'leave', `uid=${owner.id}`))).toBe('200');
  });

  it('leave is for members of the team and for oneself', async () => {
    const person = await world.person();
    await world.join(owner, acme.teams.Viewers, person);
    expect(outcome(await act(person.http, acme.teams.Viewers, 'leave', `uid=${viewer.id}`))).toBe('403 not_self');
    expect(outcome(await act(person.http, acme.teams.Editors, 'leave', `uid=${person.id}`))).toBe('403 forbidden');
    expect(outcome(await act(person.http, acme.teams.Viewers, 'leave', `uid=${person.id}`))).toBe('200');
    const { siteAdmin } = world;
    expect(outcome(await act(siteAdmin.http, acme.teams.Viewers, 'leave', `uid=${siteAdmin.id}`))).toBe('404 not_found');
    const organization = await systemAdmin();
    for (const action of ['join', 'leave', 'add', 'remove']) {
      expect(outcome(await act(organization, acme.teams.Viewers, action, `uid=${acme.systemAdminId}`))).toBe('403 forbidden');
    }
  });

  it('a team that is missing or of another organization is missing, also for join and leave', async () => {
    const elsewhere = await world.organization(outsider);
    for (const id of [999_999, elsewhere.teams.Viewers, elsewhere.teams.Owners]) {
      for (const action of ['join', 'leave', 'add', 'remove']) {
        for (const caller of [owner, world.siteAdmin]) {
          const answer = await act(caller.http, id, action, `uid=${caller.id}`);
          expect([action, caller.username, outcome(answer)]).toEqual([action, caller.username, '404 not_found']);
        }
      }
      expect(outcome(await act(viewer.http, id, 'leave', `uid=${viewer.id}`))).toBe('404 not_found');
      for (const action of ['join', 'add', 'remove']) {
        expect(outcome(await act(viewer.http, id, action, `uid=${viewer.id}`))).toBe('403 forbidden');
      }
    }
  });

  it('the last owner stays, on every route of a team', async () => {
    const organization = await world.organization(owner);
    const { Owners } = organization.teams;
    expect(outcome(await act(owner.http, Owners, 'leave', `uid=${owner.id}`, organization))).toBe('403 last_owner');
    expect(outcome(await act(world.siteAdmin.http, Owners, 'remove', `uid=${owner.id}`, organization))).toBe('403 last_owner');
    expect(outcome(await remove(owner.http, Owners, 'owner'))).toBe('403 last_owner');
    expect(outcome(await remove(world.siteAdmin.http, Owners, 'owner'))).toBe('403 last_owner');
  });
});
