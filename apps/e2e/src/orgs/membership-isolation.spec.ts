import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { organizationHosts } from '../platform.ts';
import {
  type Organization, outcome, type PeopledOrganization, type Person, refusal, startWorld, type World,
} from './world.ts';

let world: World;
/** The attackers' organization, with an owner and an ordinary member. */
let own: PeopledOrganization;
/** A private organization of other people, and a public one. */
let hidden: PeopledOrganization;
let open: PeopledOrganization;

beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts });
  [own, hidden, open] = [
    await world.organizationWith(1), await world.organizationWith(2), await world.organizationWith(2),
  ];
  await hidden.boss.http.patch(hidden.path, { json: { visibility: 'private' } });
  for (const { people: [shown], path } of [hidden, open]) {
    await shown!.http.put(`${path}/public_members/${shown!.username}`);
  }
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const attackers = (): Person[] => [own.boss, own.people[0]!];

/** The rows of the other organizations. */
async function stateOfOthers(): Promise<unknown> {
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

/** Calls of these methods on another organization by its name, as the attackers' owner. */
function callsOn(orgname: string, teamId: number, uid: number, username: string) {
  const path = `/api/v1/orgs/${orgname}`;
  return [
    ['GET', `${path}/members`], ['GET', `${path}/public_members`], ['GET', `${path}/user/${username}`],
    ['GET', `${path}/members/${username}`], ['DELETE', `${path}/members/${username}`],
    ['GET', `${path}/public_members/${username}`], ['PUT', `${path}/public_members/${username}`],
    ['DELETE', `${path}/public_members/${username}`],
    ...['private', 'public', 'remove', 'leave'].map((action) => ['POST', `${path}/members/action/${action}?uid=${uid}`]),
    ...['join', 'leave', 'remove', 'add'].map((action) => ['POST', `${path}/teams/${teamId}/action/${action}?uid=${uid}`]),
    ['PATCH', path], ['DELETE', path],
  ] as [string, string][];
}

function callsOnTeam(teamId: number, username: string) {
  const path = `/api/v1/teams/${teamId}/members`;
  return [
    ['GET', path], ['GET', `${path}/${username}`], ['PUT', `${path}/${username}?autoConnectClusters=true`],
    ['DELETE', `${path}/${username}`],
  ] as [string, string][];
}

const send = ({ http }: Person, [verb, path]: [string, string]) =>
  http.send(verb, path, verb === 'PATCH' ? { json: { full_name: 'taken over' } } : {});

describe('of an organization one does not belong to', () => {
  it('a private one is indistinguishable from a missing one on each route', async () => {
    const before = await stateOfOthers();
    const { organization, people: [victim] } = hidden;
    for (const attacker of attackers()) {
      const there = callsOn(organization.username, organization.teams.Viewers, victim!.id, victim!.username);
      const missing = callsOn('no-such-organization', 999_999, victim!.id, victim!.username);
      for (const [index, call] of there.entries()) {
        const [answer, expected] = [await send(attacker, call), await send(attacker, missing[index]!)];
        expect([call, answer.status, refusal(answer)]).toEqual([call, 404, refusal(expected)]);
      }
    }
    expect(await stateOfOthers()).toEqual(before);
  });

  it('a public one shows what it shows to everybody, and nothing changes', async () => {
    const before = await stateOfOthers();
    const { organization, boss, people: [shown, secret] } = open;
    for (const attacker of attackers()) {
      for (const victim of [boss, shown!, secret!]) {
        for (const call of callsOn(organization.username, organization.teams.Viewers, victim.id, victim.username)) {
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
          for (const uid of [victim!.id, attacker.id]) {
            await sameAsMissing(own.organization, teamId, uid, attacker);
          }
          for (const [index, call] of callsOnTeam(teamId, victim!.username).entries()) {
            const expected = await send(attacker, callsOnTeam(999_999, victim!.username)[index]!);
            const answer = await send(attacker, call);
            expect([call, answer.status, refusal(answer)]).toEqual([call, 404, refusal(expected)]);
          }
        }
      }
    }
    expect(await stateOfOthers()).toEqual(before);
  });

  async function sameAsMissing(organization: Organization, teamId: number, uid: number, attacker: Person) {
    for (const action of ['join', 'leave', 'remove', 'add']) {
      const path = (id: number) => `/api/v1/orgs/${organization.username}/teams/${id}/action/${action}?uid=${uid}`;
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
    const pairs = [
      ...['private', 'public', 'remove'].map((action) => [
        'POST', (uid: number) => `${path}/members/action/${action}?uid=${uid}`,
      ]),
      ['POST', (uid: number) => `${path}/teams/${Viewers}/action/remove?uid=${uid}`],
    ] as [string, (uid: number) => string][];
    const named = [
      ['GET', (name: string) => `${path}/members/${name}`], ['DELETE', (name: string) => `${path}/members/${name}`],
      ['GET', (name: string) => `${path}/public_members/${name}`],
      ['PUT', (name: string) => `${path}/public_members/${name}`],
      ['GET', (name: string) => `/api/v1/teams/${Viewers}/members/${name}`],
      ['DELETE', (name: string) => `/api/v1/teams/${Viewers}/members/${name}`],
    ] as [string, (name: string) => string][];
    for (const [verb, to] of pairs) {
      const [answer, expected] = [await boss.http.send(verb, to(victim!.id)), await boss.http.send(verb, to(999_999))];
      expect([answer.status, refusal(answer)]).toEqual([404, refusal(expected)]);
    }
    for (const [verb, to] of named) {
      const answer = await boss.http.send(verb, to(victim!.username));
      const expected = await boss.http.send(verb, to('no-such-user'));
      expect([403, 404]).toContain(expected.status);
      expect([answer.status, refusal(answer)]).toEqual([expected.status, refusal(expected)]);
    }
    expect(await stateOfOthers()).toEqual(before);
  });
});
