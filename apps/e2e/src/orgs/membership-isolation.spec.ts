import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { organizationHosts } from '../platform.ts';
import { outcome, type PeopledOrganization, type Person, refusal, startWorld, type World } from './world.ts';

let world: World;
/** The attackers' organization, with an owner and an ordinary member. */
let own: PeopledOrganization;
/** A private organization of other people, and a public one. */
let hidden: PeopledOrganization, open: PeopledOrganization;
beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts });
  own = await world.organizationWith(1);
  [hidden, open] = [await world.organizationWith(2), await world.organizationWith(2)];
  await hidden.boss.http.patch(hidden.path, { json: { visibility: 'private' } });
  for (const { people: [shown], path } of [hidden, open]) {
    await shown!.http.put(`${path}/public_members/${shown!.username}`);
  }
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const attackers = (): Person[] => [own.boss, own.people[0]!];

/** The rows of the other organizations. */
async function stateOfOthers() {
  const ids = [hidden.organization.id, open.organization.id];
  return world.database.one(sql`
    select (select jsonb_agg(account order by id) from account
             where id = any (${ids}::bigint[]) or system_admin_of = any (${ids}::bigint[])) as "accounts",
           (select jsonb_agg(organization order by id) from organization where id = any (${ids}::bigint[])) as "kinds",
           (select jsonb_agg(team order by id) from team where organization_id = any (${ids}::bigint[])) as "teams",
           (select jsonb_agg(jsonb_build_array(team_id, user_id) order by team_id, user_id) from team_member
             where organization_id = any (${ids}::bigint[])) as "members",
           (select jsonb_agg(shown order by organization_id, user_id) from public_membership shown
             where organization_id = any (${ids}::bigint[])) as "shown",
           (select count(*) from audit where organization_id = any (${ids}::bigint[])) as "changes"`);
}

type Call = readonly [verb: string, path: string];

/** Calls of these methods on another organization by its name, as the attackers' owner. */
function callsOn(orgname: string, teamId: number, { id: uid, username }: Person): Call[] {
  const path = `/api/v1/orgs/${orgname}`;
  const post = (to: string, actions: readonly string[]) =>
    actions.map((action): Call => ['POST', `${path}/${to}/action/${action}?uid=${uid}`]);
  return [
    ['GET', `${path}/members`], ['GET', `${path}/public_members`], ['GET', `${path}/user/${username}`],
    ['GET', `${path}/members/${username}`], ['DELETE', `${path}/members/${username}`],
    ['GET', `${path}/public_members/${username}`], ['PUT', `${path}/public_members/${username}`],
    ['DELETE', `${path}/public_members/${username}`],
    ...post('members', ['private', 'public', 'remove', 'leave']),
    ...post(`teams/${teamId}`, ['join', 'leave', 'remove', 'add']),
    ['PATCH', path], ['DELETE', path],
  ];
}

function callsOnTeam(teamId: number, username: string): Call[] {
  const path = `/api/v1/teams/${teamId}/members`;
  const one = `${path}/${username}`;
  return [['GET', path], ['GET', one], ['PUT', `${one}?autoConnectClusters=true`], ['DELETE', one]];
}

const send = ({ http }: Person, [verb, path]: Call) =>
  http.send(verb, path, verb === 'PATCH' ? { json: { full_name: 'taken over' } } : {});

/** Expects each of these calls to be 404, with the same refusal as the same call on missing objects. */
async function expectMissing(attacker: Person, there: readonly Call[], missing: readonly Call[]) {
  for (const [index, call] of there.entries()) {
    const [answer, expected] = [await send(attacker, call), await send(attacker, missing[index]!)];
    expect([call, answer.status, refusal(answer)]).toEqual([call, 404, refusal(expected)]);
  }
}

describe('of an organization one does not belong to', () => {
  it('a private one is indistinguishable from a missing one on each route', async () => {
    const before = await stateOfOthers();
    const { organization, people: [victim] } = hidden;
    for (const attacker of attackers()) {
      const there = callsOn(organization.username, organization.teams.Viewers, victim!);
      await expectMissing(attacker, there, callsOn('no-such-organization', 999_999, victim!));
    }
    expect(await stateOfOthers()).toEqual(before);
  });

  it('a public one shows what it shows to everybody, and nothing changes', async () => {
    const before = await stateOfOthers();
    const { organization, boss, people: [shown, secret] } = open;
    for (const attacker of attackers()) {
      for (const victim of [boss, shown!, secret!]) {
        for (const call of callsOn(organization.username, organization.teams.Viewers, victim)) {
          const answer = await send(attacker, call);
          if (call[0] !== 'GET') expect([call, outcome(answer)]).toEqual([call, '403 not_org_member']);
          else expect(answer.text).not.toContain(secret!.username);
        }
      }
    }
    expect(await stateOfOthers()).toEqual(before);
  });
});

describe('with ids and names of others in their own organization', () => {
  it('a team of another organization is indistinguishable from a missing one', async () => {
    const before = await stateOfOthers();
    for (const { organization, people: [victim] } of [hidden, open]) {
      for (const teamId of Object.values(organization.teams)) {
        for (const attacker of attackers()) {
          for (const uid of [victim!.id, attacker.id]) await sameAsMissing(teamId, uid, attacker);
          const { username } = victim!;
          await expectMissing(attacker, callsOnTeam(teamId, username), callsOnTeam(999_999, username));
        }
      }
    }
    expect(await stateOfOthers()).toEqual(before);
  });

  async function sameAsMissing(teamId: number, uid: number, attacker: Person) {
    for (const action of ['join', 'leave', 'remove', 'add']) {
      const path = (id: number) => `${own.path}/teams/${id}/action/${action}?uid=${uid}`;
      const [answer, expected] = [await attacker.http.post(path(teamId)), await attacker.http.post(path(999_999))];
      expect([403, 404]).toContain(answer.status);
      expect([answer.status, refusal(answer)]).toEqual([expected.status, refusal(expected)]);
    }
  }

  it('a member of another organization is like an unknown user where a member is needed', async () => {
    const before = await stateOfOthers();
    const { boss, organization, path } = own;
    const { people: [victim] } = hidden;
    const { Viewers } = organization.teams;
    const actions = ['private', 'public', 'remove'].map((action) => `${path}/members/action/${action}`);
    for (const to of [...actions, `${path}/teams/${Viewers}/action/remove`]) {
      const post = (uid: number) => boss.http.post(`${to}?uid=${uid}`);
      const [answer, expected] = [await post(victim!.id), await post(999_999)];
      expect([answer.status, refusal(answer)]).toEqual([404, refusal(expected)]);
    }
    for (const [verb, to] of [
      ['GET', `${path}/members`], ['DELETE', `${path}/members`], ['GET', `${path}/public_members`],
      ['PUT', `${path}/public_members`], ['GET', `/api/v1/teams/${Viewers}/members`],
      ['DELETE', `/api/v1/teams/${Viewers}/members`],
    ] as const) {
      const answer = await boss.http.send(verb, `${to}/${victim!.username}`);
      const expected = await boss.http.send(verb, `${to}/no-such-user`);
      expect([403, 404]).toContain(expected.status);
      expect([answer.status, refusal(answer)]).toEqual([expected.status, refusal(expected)]);
    }
    expect(await stateOfOthers()).toEqual(before);
  });
});
