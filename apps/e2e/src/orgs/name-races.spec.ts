import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { specCall } from '../operator.ts';
import { organizationHosts } from '../platform.ts';
import { atOnce, oneOf, outcome, type Person, startWorld, type World } from './world.ts';

let world: World, people: readonly Person[];
beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts, replicas: { 'orgs-teams': 2, gateway: 2 } });
  people = await atOnce(5, () => world.person());
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

/** One of many spellings of the same name, such as `acme` and `aCme`. */
const spelling = (name: string, index: number): string =>
  [...name].map((letter, place) => ((index >> place % 6) % 2 === 0 ? letter : letter.toUpperCase())).join('');

const accountsNamed = async (name: string) =>
  (await world.database.query(sql`select from account where lower(name) = ${name}`)).length;

const ownedBy = async (name: string) => (await world.database.query(sql`
  select from team_member member
    join team on team.id = member.team_id and team.is_owners
    join account on account.id = team.organization_id
   where lower(account.name) = ${name}`)).length;

describe('50 at once want one name', () => {
  it.each(Array.from({ length: 5 }, (_, round) => [`racers-${round}`]))('%s: one organization gets it', async (name) => {
    const answers = await atOnce(50, (index) =>
      people[index % people.length]!.http.post('/api/v1/orgs', { json: { username: spelling(name, index) } }));
    expect(answers.map(outcome).sort()).toEqual(oneOf(50, '201', '409 already_exists'));
    const won = answers.findIndex(({ status }) => status === 201);
    expect(answers[won]!.json()).toMatchObject({ username: spelling(name, won) });
    expect(await accountsNamed(name)).toBe(1);
    expect(await ownedBy(name)).toBe(1);
    expect((await people[won % people.length]!.http.get(`/api/v1/orgs/${name}/is-owner`)).status).toBe(200);
  });

  it('users and organizations are of one name space: one of them gets it', async () => {
    const given = { email: 'racer@example.org', fullName: '', admin: false, noCreateOrganization: false };
    const user = (username: string) => world.operator.admin.createUser(
      { username, ...given, prohibitLogin: false, inactive: false }, specCall(),
    ).then(() => '201', ({ reason }: { reason: string }) => `409 ${reason.toLowerCase()}`);
    const outcomes = await atOnce(50, async (index) => {
      const username = spelling('shared', index);
      return index % 2 === 0 ? user(username) : outcome(await people[0]!.http.post('/api/v1/orgs', { json: { username } }));
    });
    expect(outcomes.sort()).toEqual(oneOf(50, '201', '409 already_exists'));
    expect(await accountsNamed('shared')).toBe(1);
  });

  it('a name that is given back again and again always has one holder at most', async () => {
    const outcomes: string[] = [];
    await Promise.all(people.map(async ({ http }) => {
      for (let round = 0; round < 6; round += 1) {
        outcomes.push(outcome(await http.post('/api/v1/orgs', { json: { username: 'given-back' } })));
        outcomes.push(outcome(await http.delete('/api/v1/orgs/given-back')));
      }
    }));
    expect(outcomes.filter((one) => one.startsWith('5'))).toEqual([]);
    const made = outcomes.filter((one) => one === '201').length;
    expect(made).toBeGreaterThan(0);
    expect(await accountsNamed('given-back')).toBe(made - outcomes.filter((one) => one === '204').length);
    const { differences } = await world.operator.admin.checkDrift({ organizationId: 0, limit: 0 }, specCall());
    expect(differences).toEqual([]);
  });
});
