import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { specCall } from '../operator.ts';
import { loginsIn, type Organization, outcome, type Person, startAcme, type World } from './world.ts';

let world: World, owner: Person, member: Person, outsider: Person, acme: Organization;
beforeAll(async () => {
  ({ world, owner, member, outsider, acme } = await startAcme());
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const systemAdmin = async (organization = acme) =>
  world.as(await world.operator.systemAdminToken(organization.username));
/** The id of a team of the administrative organization. */
const administrative = async (team: string) => (await world.database.one(sql<{ id: number }>`
  select team.id from team join organization on organization.id = organization_id
   where org_type = 6 and team.name = ${team}`)).id;

describe('PUT, DELETE public_members/{username} (open-points 3.3, 3.6)', () => {
  it('show and hide the membership of the caller, as often as one likes', async () => {
    const { people: [someone], path } = await world.organizationWith(1);
    const at = `${path}/public_members/${someone!.username}`;
    const shown = async () => (await world.nobody.get(at)).status;
    expect(await shown()).toBe(404);
    for (const _twice of [1, 2]) expect(outcome(await someone!.http.put(at))).toBe('204');
    expect(await shown()).toBe(204);
    const inCapitals = `${path}/public_members/${someone!.username.toUpperCase()}`;
    for (const _twice of [1, 2]) expect(outcome(await someone!.http.delete(inCapitals))).toBe('204');
    expect(await shown()).toBe(404);
  });

  it.each(['PUT', 'DELETE'])('%s is for the name of the caller alone, whether or not the other exists', async (verb) => {
    for (const name of ['owner', 'nobody-here', 'acme', acme.systemAdminName]) {
      for (const { http } of [member, world.siteAdmin]) {
        expect(outcome(await http.send(verb, `/api/v1/orgs/acme/public_members/${name}`))).toBe('403 not_self');
      }
    }
  });

  it.each(['PUT', 'DELETE'])('%s needs a membership, of site admins too; no organization has one', async (verb) => {
    const own = (person: Person) => person.http.send(verb, `/api/v1/orgs/acme/public_members/${person.username}`);
    for (const one of [outsider, world.siteAdmin]) expect(outcome(await own(one))).toBe('403 not_org_member');
    const organization = await systemAdmin();
    for (const name of [acme.systemAdminName, 'owner']) {
      expect(outcome(await organization.send(verb, `/api/v1/orgs/acme/public_members/${name}`))).toBe('403 forbidden');
    }
  });
});

describe('POST members/action/{action} (open-points 3.3, 3.6)', () => {
  const act = (http: Person['http'], path: string, action: string, uid: number | string) =>
    http.post(`${path}/members/action/${action}?uid=${uid}`);
  const inAcme = async (http: Person['http'], action: string, uid: number | string) =>
    outcome(await act(http, '/api/v1/orgs/acme', action, uid));

  it('private and public by the member and by owners; repeats are 200', async () => {
    const { boss, people: [someone, other], path } = await world.organizationWith(2);
    const shown = async () => loginsIn(await world.nobody.get(`${path}/members`));
    for (const http of [someone!.http, boss.http, world.siteAdmin.http]) {
      for (const _twice of [1, 2]) expect(outcome(await act(http, path, 'public', someone!.id))).toBe('200');
      expect(await shown()).toEqual([someone!.username]);
      for (const _twice of [1, 2]) {
        const answer = await act(http, path, 'private', someone!.id);
        expect([outcome(answer), answer.body.length]).toEqual(['200', 0]);
      }
      expect(await shown()).toEqual([]);
    }
    expect(outcome(await act(other!.http, path, 'public', someone!.id))).toBe('403 forbidden');
  });

  it('leave is for oneself, and ends all teams at once', async () => {
    const { boss, organization, people: [someone, other], path } = await world.organizationWith(2);
    await world.join(boss, organization.teams.Editors, someone!);
    expect(outcome(await act(someone!.http, path, 'leave', other!.id))).toBe('403 not_self');
    expect(outcome(await act(someone!.http, path, 'leave', someone!.id))).toBe('200');
    expect(outcome(await boss.http.get(`${path}/members/${someone!.username}`))).toBe('404 not_found');
    expect(outcome(await act(someone!.http, path, 'leave', someone!.id))).toBe('403 not_org_member');
  });

  it('remove is for owners', async () => {
    const { boss, organization, people: [someone, other], path } = await world.organizationWith(2);
    expect(outcome(await act(other!.http, path, 'remove', someone!.id))).toBe('403 forbidden');
    expect(outcome(await act(await systemAdmin(organization), path, 'remove', someone!.id))).toBe('403 forbidden');
    expect(outcome(await act(boss.http, path, 'remove', someone!.id))).toBe('200');
    expect(outcome(await act(boss.http, path, 'remove', someone!.id))).toBe('404 not_found');
    expect(outcome(await act(world.siteAdmin.http, path, 'remove', other!.id))).toBe('200');
  });

  it('404 for accounts that are no member: unknown, a stranger, an organization, a system admin', async () => {
    for (const action of ['private', 'public', 'remove']) {
      for (const uid of [999_999, outsider.id, acme.id, acme.systemAdminId]) {
        expect([action, await inAcme(owner.http, action, uid)]).toEqual([action, '404 not_found']);
      }
    }
  });

  it('400 for an unknown action and for a uid that is missing or none', async () => {
    expect(await inAcme(owner.http, 'destroy', owner.id)).toBe('400 invalid_parameter');
    for (const uid of ['', '0', '-1', 'x', '1.5', `${2 ** 53}`]) {
      expect([uid, await inAcme(owner.http, 'private', uid)]).toEqual([uid, '400 invalid_parameter']);
    }
    expect(outcome(await owner.http.post('/api/v1/orgs/acme/members/action/leave'))).toBe('400 invalid_parameter');
  });

  it('the last owner stays, by leave, remove and DELETE', async () => {
    const { boss, people: [other], organization, path } = await world.organizationWith(1);
    expect(outcome(await act(boss.http, path, 'leave', boss.id))).toBe('403 last_owner');
    expect(outcome(await act(boss.http, path, 'remove', boss.id))).toBe('403 last_owner');
    expect(outcome(await act(world.siteAdmin.http, path, 'remove', boss.id))).toBe('403 last_owner');
    expect(outcome(await boss.http.delete(`${path}/members/${boss.username}`))).toBe('403 last_owner');
    await world.join(boss, organization.teams.Owners, other!);
    expect(outcome(await act(boss.http, path, 'leave', boss.id))).toBe('200');
    expect(outcome(await act(other!.http, path, 'leave', other!.id))).toBe('403 last_owner');
  });

  it('of a site admin without membership: 404 for leave, 403 for their own visibility', async () => {
    const { http, id } = world.siteAdmin;
    expect(await inAcme(http, 'leave', id)).toBe('404 not_found');
    for (const action of ['private', 'public']) expect(await inAcme(http, action, id)).toBe('403 not_org_member');
    expect(await inAcme(http, 'leave', owner.id)).toBe('403 not_self');
  });

  it('of an organization\'s token: 403, for every name', async () => {
    const organization = await systemAdmin();
    for (const action of ['private', 'public', 'leave', 'remove']) {
      for (const uid of [acme.systemAdminId, owner.id]) {
        expect(await inAcme(organization, action, uid)).toBe('403 forbidden');
      }
    }
  });
});

describe('DELETE members/{username} (open-points 3.6)', () => {
  it('takes a member out of every team, with the visibility of the membership', async () => {
    const { boss, organization, people: [someone], path } = await world.organizationWith(1);
    await world.join(boss, organization.teams.Editors, someone!);
    await someone!.http.put(`${path}/public_members/${someone!.username}`);
    expect(outcome(await boss.http.delete(`${path}/members/${someone!.username.toUpperCase()}`))).toBe('204');
    expect(outcome(await someone!.http.get(`${path}/user/${boss.username}`))).toBe('403 not_org_member');
    expect((await world.nobody.get(`${path}/members`)).json()).toEqual([]);
    expect(outcome(await boss.http.delete(`${path}/members/${someone!.username}`))).toBe('404 not_found');
  });

  it('404 for accounts that are no member, 403 for callers who may not', async () => {
    for (const name of ['outsider', 'nobody-here', 'acme', acme.systemAdminName]) {
      expect(outcome(await owner.http.delete(`/api/v1/orgs/acme/members/${name}`))).toBe('404 not_found');
    }
    expect(outcome(await member.http.delete('/api/v1/orgs/acme/members/owner'))).toBe('403 forbidden');
    expect(outcome(await outsider.http.delete('/api/v1/orgs/acme/members/owner'))).toBe('403 not_org_member');
    expect(outcome(await (await systemAdmin()).delete('/api/v1/orgs/acme/members/owner'))).toBe('403 forbidden');
    expect(outcome(await world.nobody.delete('/api/v1/orgs/acme/members/owner'))).toBe('401 unauthenticated');
  });
});

describe('the administrative organization (open-points 1.10)', () => {
  const path = '/api/v1/orgs/administration';
  let administrator: Person, owners: number;
  beforeAll(async () => {
    administrator = await world.person('second-admin', { admin: true });
    owners = await administrative('Owners');
  });

  it('no route takes a site admin out of its Owners', async () => {
    const { siteAdmin } = world;
    const routes = [
      siteAdmin.http.delete(`${path}/members/second-admin`),
      siteAdmin.http.post(`${path}/members/action/remove?uid=${administrator.id}`),
      administrator.http.post(`${path}/members/action/leave?uid=${administrator.id}`),
      siteAdmin.http.delete(`/api/v1/teams/${owners}/members/second-admin`),
      siteAdmin.http.post(`${path}/teams/${owners}/action/remove?uid=${administrator.id}`),
      administrator.http.post(`${path}/teams/${owners}/action/leave?uid=${administrator.id}`),
    ];
    expect((await Promise.all(routes)).map(outcome)).toEqual(routes.map(() => '403 site_admin_protected'));
  });

  it('before the last owner is thought of', async () => {
    await world.operator.admin.updateUser({ username: 'second-admin', admin: false }, specCall());
    const { http, id } = world.siteAdmin;
    expect(outcome(await http.post(`${path}/members/action/leave?uid=${id}`))).toBe('403 site_admin_protected');
  });

  it('its other teams are left as usual, and others leave its Owners', async () => {
    const { siteAdmin } = world;
    const viewers = await administrative('Viewers');
    const plain = await world.person();
    await world.join(siteAdmin, viewers, siteAdmin, plain);
    expect(outcome(await siteAdmin.http.post(`${path}/teams/${viewers}/action/leave?uid=${siteAdmin.id}`))).toBe('200');
    await world.join(siteAdmin, owners, plain);
    expect(outcome(await plain.http.post(`${path}/members/action/leave?uid=${plain.id}`))).toBe('200');
  });

  it('a site admin shows their own membership there', async () => {
    const at = `${path}/public_members/platform-admin`;
    const send = async (verb: string) => outcome(await world.siteAdmin.http.send(verb, at));
    expect([await send('PUT'), await send('GET'), await send('DELETE')]).toEqual(['204', '204', '204']);
  });
});
