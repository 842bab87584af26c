import { sql } from '@platform/postgres';
import type { ProofOptions, ProofResult } from '@platform/testing';
import { type Organization, type Person, startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';

export const name = 'growth';
export const describe = 'In an organization with 100,000 memberships a guarded request and adding one member cost at '
  + 'most 1.5 times what they cost in one with 10; what a cold check costs one who is in 500 teams is stated.';
export const servers = true;

const sizes = [10, 1_000, 100_000] as const;
const wholeRounds = 200;
const mostRatio = 1.5;
const wholeTeams = 500;

interface Sized {
  readonly size: number;
  readonly owner: Person;
  readonly member: Person;
  readonly guests: readonly Person[];
  readonly organization: Organization;
  readonly check: number[];
  readonly add: number[];
}

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startWorld({ hosts: organizationHosts, ownProcess: { of: 'all', because: 'measured' } });
  const rounds = Math.max(15, Math.round(wholeRounds * share));
  const sized: Sized[] = [];
  for (const whole of sizes) sized.push(await organizationOf(world, Math.max(10, Math.round(whole * share))));
  await world.database.execute(sql`analyze`);

  for (let round = 0; round < rounds; round += 1) {
    // Alternate the sizes, so that other load of the machine affects all of them.
    for (const { check, add, ...one } of sized) {
      const { owner, member, organization, guests } = one;
      const teams = `/api/v1/orgs/${organization.username}/teams`;
      check.push(await timed(() => expectStatus(200, member.http.get(teams))));
      const guest = `/api/v1/teams/${organization.teams.Editors}/members/${guests[round % guests.length]!.username}`;
      add.push(await timed(() => expectStatus(204, owner.http.put(guest))));
      await expectStatus(204, owner.http.delete(guest));
    }
    if (round % 50 === 49) report(`${round + 1} of ${rounds} rounds`);
  }
  const [least, ...others] = sized.map(({ size, check, add }) => ({ size, check: median(check), add: median(add) }));
  const worst = Math.max(...others.flatMap(({ check, add }) => [check / least!.check, add / least!.add]));
  const teams = await inManyTeams(world, Math.max(20, Math.round(wholeTeams * share)));
  const rows = [least!, ...others].map(({ size, check, add }) =>
    `${size}: check ${check.toFixed(1)} ms, add ${add.toFixed(1)} ms`);
  return {
    figure: `${rows.join('; ')}; at most ${worst.toFixed(2)} times; ${teams}`,
    // A share runs at the same time as other tests.
    holds: worst <= (share === 1 ? mostRatio : 3 * mostRatio),
  };
}

/** Makes an organization with a given number of memberships, by inserting users and their rows in Viewers. */
async function organizationOf(world: World, size: number): Promise<Sized> {
  const [owner, member] = [await world.person(), await world.person()];
  const guests = [await world.person(), await world.person(), await world.person()];
  const organization = await world.organization(owner);
  await world.join(owner, organization.teams.Viewers, member);
  const { database } = world;
  const batch = 2_000;
  for (let from = 0; from < size; from += batch) {
    const until = Math.min(size, from + batch);
    await database.execute(sql`
      with person as (
        insert into account (kind, name, email)
        select 'person', 'grown-' || ${organization.id}::bigint || '-' || number, 'grown@example.org'
          from generate_series(${from + 1}::int, ${until}::int) number
        returning id
      )
      insert into team_member (team_id, user_id, organization_id)
      select ${organization.teams.Viewers}::bigint, id, ${organization.id}::bigint from person`);
  }
  return { size, owner, member, guests, organization, check: [], add: [] };
}

/**
 * Measures the first request in an organization with many teams: of a caller in one team, and of a caller in all teams,
 * of which only the last one gives the right.
 */
async function inManyTeams(world: World, count: number): Promise<string> {
  const [owner, member] = [await world.person(), await world.person()];
  const organization = await world.organization(owner);
  await world.database.execute(sql`
    insert into team (organization_id, name, permission)
    select ${organization.id}::bigint, 'many-' || number, case number when ${count}::int then 'read' else 'custom' end
      from generate_series(1, ${count}::int) number`);
  await world.database.execute(sql`
    insert into team_member (team_id, user_id, organization_id)
    select id, ${member.id}::bigint, organization_id from team
     where organization_id = ${organization.id} and name like 'many-%'`);
  const ownersTeam = organization.teams.Owners;
  const teams = `/api/v1/orgs/${organization.username}/teams`;
  const list = () => expectStatus(200, member.http.get(teams, { within: 60_000 }));
  const cold: number[] = [];
  for (let times = 0; times < 5; times += 1) {
    await world.database.execute(sql`update team set revision = gen_random_uuid() where id = ${ownersTeam}`);
    cold.push(await timed(() => expectStatus(200, owner.http.get(teams))));
  }
  const first = await timed(list);
  const again: number[] = [];
  for (let times = 0; times < 11; times += 1) again.push(await timed(list));
  return `${count} teams: cold ${median(cold).toFixed(0)} ms for one who is in one of them, ${first.toFixed(0)} ms for one `
    + `who is in all of them, known ${median(again).toFixed(1)} ms`;
}

async function expectStatus(status: number, answering: ReturnType<Person['http']['get']>): Promise<void> {
  const answer = await answering;
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}
