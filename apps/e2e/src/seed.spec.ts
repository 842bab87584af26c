import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, sql } from '@platform/postgres';
import { operatorOf, specCall, type Operator } from './operator.ts';
import { type RunningPlatform, startPlatform } from './platform.ts';
import { rowDigest } from './row-digest.ts';
import { beginSeed, seed as seedPlatform } from './seeding.ts';

let platform: RunningPlatform, operator: Operator;
beforeAll(async () => {
  platform = await startPlatform();
  operator = await operatorOf(platform);
}, 120_000);
afterAll(async () => operator?.[Symbol.asyncDispose]());

const seed = (...argv: string[]) => seedPlatform<{ added: number }>(platform, ...argv);
const exitCode = (...argv: string[]) => seed(...argv).then(() => 0, (error: { code: number }) => error.code);
/** Rows of the owning services; billing-dashboard receives its rows a moment later. */
const digest = () => Promise.all(
  Object.entries(platform.databases).flatMap(([name, database]) => (name === 'billing-dashboard' ? [] : [rowDigest(database)])),
);
const admin = () => platform.http.with({ authorization: `token ${platform.adminToken}` });

describe('platform seed', () => {
  const numbers = ['--users', '60', '--organizations', '3', '--teams', '4', '--members', '12', '--seed', 'spring'];

  it('makes what it is asked for, visible as soon as it returns', async () => {
    expect(await seed(...numbers)).toEqual({
      users: 60, organizations: 3, teams: 12, members: 36, clusters: 6, contracts: 3, objects: 0,
      // Each organization starts with its first teams and its owner; three of its eleven other users are in a second
      // team.
      added: 60 + 3 + 3 * (1 + 11 + 3),
    });
    expect((await operator.admin.getStatus({}, specCall())).pendingUnits).toBe(0);
    for (const name of ['seed-spring-organization-1', 'seed-spring-organization-3']) {
      const teams = (await admin().get(`/api/v1/orgs/${name}/teams`)).json<{ name: string }[]>();
      expect(teams.map((team) => team.name)).toEqual(['Owners', 'Editors', 'Viewers', 'team-1']);
    }
    const members = await admin().get('/api/v1/orgs/seed-spring-organization-2/members');
    expect(members.json<unknown[]>()).toHaveLength(12);
    const { differences } = await operator.admin.checkDrift({ organizationId: 0, limit: 0 }, specCall());
    expect(differences).toEqual([]);
  });

  it('changes no row when it is planted again', async () => {
    const before = await digest();
    expect((await seed(...numbers)).added).toBe(0);
    expect(await digest()).toEqual(before);
  });

  it('grows with the numbers, and keeps what there is', async () => {
    const more = ['--users', '80', '--organizations', '4', '--teams', '5', '--members', '12', '--seed', 'spring'];
    expect(await seed(...more)).toMatchObject({ users: 80, organizations: 4, clusters: 8 });
    const kept = await admin().get('/api/v1/orgs/seed-spring-organization-1/teams');
    expect(kept.json<unknown[]>()).toHaveLength(5);
  });

  it('makes different things of another seed, beside the first', async () => {
    const autumn = ['--users', '10', '--organizations', '1', '--members', '3', '--seed', 'autumn'];
    expect(await seed(...autumn, '--clusters', '3', '--contracts', '2'))
      .toMatchObject({ users: 10, teams: 5, members: 3, clusters: 3, contracts: 2 });
    expect((await admin().get('/api/v1/orgs/seed-autumn-organization-1')).status).toBe(200);
    const contracts = (await admin().get('/api/v1/user/contracts?org=seed-autumn-organization-1'))
      .json<{ name: string; clusters: { clusterStatus: { name: string } }[] }[]>();
    const named = contracts.map(({ name, clusters }) => [name, ...clusters.map(({ clusterStatus }) => clusterStatus.name).sort()]);
    expect(named.sort()).toEqual([['Contract 1', 'cluster-1', 'cluster-3'], ['Contract 2', 'cluster-2']]);
  });

  it('shows on standard error how far it is, while it takes long', async () => {
    const summer = ['--users', '10', '--organizations', '2', '--members', '3', '--seed', 'summer'];
    await using rows = connect({ ...platform.databases.clusters, applicationName: 'seed spec' });
    const { seeding } = await rows.transact(async (held) => {
      await held.execute(sql`lock table cluster in exclusive mode`);
      const begun = beginSeed(platform, ...summer);
      let shown: string | undefined;
      for await (const line of createInterface({ input: begun.child.stderr! })) {
        shown = line;
        if (line.startsWith('Creating clusters')) break;
      }
      expect(shown).toMatch(/^Creating clusters … \d+ s, 0 of 4$/);
      return { seeding: begun };
    });
    const { stdout } = await seeding;
    expect(stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as object)).toMatchObject([{ clusters: 4 }]);
  });

  it('refuses numbers that do not go together, as wrong usage', async () => {
    const before = await digest();
    expect(await exitCode('--users', '5', '--organizations', '1', '--members', '6')).toBe(2);
    expect(await exitCode('--users', '5', '--organizations', '1', '--members', '0')).toBe(2);
    expect(await exitCode('--users', '-1')).toBe(2);
    expect(await exitCode('--clusters', '2001', '--contracts', '2')).toBe(2);
    expect(await exitCode('--seed', 'no blanks')).toBe(2);
    expect(await digest()).toEqual(before);
  });
});
