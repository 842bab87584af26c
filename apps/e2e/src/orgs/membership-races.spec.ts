import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { holding, shareOf } from '@platform/testing';
import { name, proveIn } from './last-owner.proof.ts';
import { organizationHosts } from '../platform.ts';
import { atOnce, oneOf, type Organization, outcome, type Person, startWorld, type World } from './world.ts';

let world: World, owner: Person;
beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts });
  owner = await world.person();
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const act = (organization: Organization, teamId: number, action: string, uid: number) =>
  owner.http.post(`/api/v1/orgs/${organization.username}/teams/${teamId}/action/${action}?uid=${uid}`);

describe('many at once', () => {
  it('of 50 parallel joins of one person one is new, the others find the person in it', async () => {
    const organization = await world.organization(owner);
    const answers = await atOnce(50, () => act(organization, organization.teams.Viewers, 'join', owner.id));
    expect(answers.map(outcome).sort()).toEqual(oneOf(50, '200', '409 already_member'));
  });

  it('50 people are put into one team in parallel, each by both routes', async () => {
    const organization = await world.organization(owner);
    const people = await atOnce(50, () => world.person());
    const members = `/api/v1/teams/${organization.teams.Editors}/members`;
    const outcomes = (await Promise.all(people.flatMap(({ id, username }) => [
      owner.http.put(`${members}/${username}`), act(organization, organization.teams.Editors, 'add', id),
    ]))).map(outcome);
    const adds = outcomes.filter((_, index) => index % 2 === 1);
    expect(new Set(outcomes.filter((_, index) => index % 2 === 0))).toEqual(new Set(['204']));
    expect(adds.filter((one) => !['200', '409 already_member'].includes(one))).toEqual([]);
    expect((await owner.http.get(members)).json()).toHaveLength(50);
  });

  it('two owners leave at once: exactly one succeeds (npm run prove -- last-owner has 1,000 rounds)', async () => {
    expect(await shareOf({ name, prove: (options) => proveIn(world, options) }, 0.03)).toEqual(holding);
  });

  it('shown, hidden, removed and added again in any order, nobody is shown who is no member', async () => {
    const { boss, organization, people, path } = await world.organizationWith(4);
    const team = `/api/v1/teams/${organization.teams.Viewers}/members`;
    const calls = people.flatMap((person) => Array.from({ length: 6 }, () => [
      () => person.http.put(`${path}/public_members/${person.username}`),
      () => boss.http.post(`${path}/members/action/public?uid=${person.id}`),
      () => boss.http.delete(`${team}/${person.username}`),
      () => boss.http.put(`${team}/${person.username}`),
    ]).flat());
    const answers = await Promise.all(calls.map((call) => call()));
    expect(answers.map(outcome).filter((one) => one.startsWith('5'))).toEqual([]);
    const strangers = await world.database.query(sql`
      select from public_membership shown
       where shown.organization_id = ${organization.id} and not exists (
         select from team_member member
          where member.organization_id = shown.organization_id and member.user_id = shown.user_id
       )`);
    expect(strangers).toEqual([]);
  });
});
