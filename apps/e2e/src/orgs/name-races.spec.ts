import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { specCall } from '../operator.ts';
import { organizationHosts } from '../platform.ts';
import { outcome, type Person, startWorld, type World } from './world.ts';

let world: World;
let people: readonly Person[];

beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts, replicas: { 'orgs-teams': 2, gateway: 2 } });
  people = await Promise.all(Array.from({ length: 5 }, () => world.person()));
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

/** One of many spellings of the same name, such as `acme` and `aCme`. */
const spelling = (name: string, index: number): string =>
  [...name].map((letter, place) => ((index >> place % 6) % 2 === 0 ? letter : letter.toUpperCase())).join('');

async function accountsNamed(name: string): Promise<number> {
  const { count } = await world.database.one(sql<{ count: number }>`
    select count(*) as "count" from account where lower(name) = ${name}`);
  return count;
}

async function ownedBy(name: string): Promise<number> {
  const { count } = await world.database.one(sql<{ count: number }>`
    select count(*) as "count" from team_member member
      join team on team.id = member.team_id and team.is_owners
      join account on account.id = team.organization_id
     where lower(account.name) = ${name}`);
  return count;
}

const oneOf = (count: number) => ['201', ...Array.from({ length: count - 1 }, () => '409 already_exists')];

describe('50 at once want one name', () => {
  it.each(Array.from({ length: 5 }, (_, round) => [`racers-${round}`]))('%s: one organization gets it', async (name) => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) =>
      people[index % people.length]!.http.post('/api/v1/orgs', { json: { username: spelling(name, index) } })));
    expect(answers.map(outcome).sort()).toEqual(oneOf(50));
    const won = answers.findIndex(({ status }) => status === 201);
    expect(answers[won]!.json()).toMatchObject({ username: spelling(name, won) });
    expect(await accountsNamed(name)).toBe(1);
    expect(await ownedBy(name)).toBe(1);
    const { status } = await people[won % people.length]!.http.get(`/api/v1/orgs/${name}/is-owner`);
    expect(status).toBe(200);
  });

  it('users and organizations are of one name space: one of them gets it', async () => {
    const user = (username: string) => world.operator.admin.createUser(
      {
        ...{ username, email: 'racer@example.org', fullName: '', admin: false, noCreateOrganization: false },
        ...{ prohibitLogin: false, inactive: false },
      },
      specCall(),
    ).then(() => '201', ({ reason }: { reason: string }) => `409 ${reason.toLowerCase()}`);
    const outcomes = await Promise.all(Array.from({ length: 50 }, async (_, index) => {
      const username = spelling('shared', index);
      return index % 2 === 0 ? user(username) : outcome(await people[0]!.http.post('/api/v1/orgs', { json: { username } }));
    }));
    expect(outcomes.sort()).toEqual(oneOf(50));
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
    const gone = outcomes.filter((one) => one === '204').length;
    expect(made).toBeGreaterThan(0);
    expect(await accountsNamed('given-back')).toBe(made - gone);
    const { differences } = await world.operator.admin.checkDrift({ organizationId: 0, limit: 0 }, specCall());
    expect(differences).toEqual([]);
  });
});
