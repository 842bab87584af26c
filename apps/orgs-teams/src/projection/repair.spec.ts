import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DifferenceKind } from '@platform/proto/orgs/v1/admin';
import type { Tuple } from '@platform/proto/authz/v1/decision';
import { sql } from '@platform/postgres';
import { organizationObject, roleAssignees, roleObject, teamMembers } from '@platform/relations';
import { as } from '@platform/testing';
import { operator, pathsOf, reasonOf, startPlatform, type TestPlatform, type TestUser } from '../fixtures/platform.ts';
import { tupleKey } from './relations.ts';
import { storePages } from './store-pages.ts';

let platform: TestPlatform;
let owner: TestUser;
let organizationId: number;
let teamId: number;
beforeAll(async () => {
  platform = await startPlatform();
  owner = await platform.user();
  ({ id: organizationId } = await platform.organization(owner, { username: 'repaired' }));
  ({ id: teamId } = await platform.database.one(sql<{ id: number }>`
    select id from team where organization_id = ${organizationId} and name = 'Viewers'`));
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

const check = (id?: number) => platform.drift(id);
const checkOwner = (orgname: string, { token }: TestUser) => platform.patiently(() =>
  platform.organizations.checkOwner({ orgname }, as(token)));
const repair = () => platform.admin.repairDrift({}, as(undefined, 30_000));
const plant = (...writes: Tuple[]) => platform.engine.writeTuples({ deletes: [], writes }, operator());

function everything(): Promise<Tuple[]> {
  return platform.patiently(async () => {
    const tuples: Tuple[] = [];
    for await (const page of storePages(platform.engine, operator())) tuples.push(...page);
    return tuples;
  });
}

describe('drift', () => {
  it('is not found where nothing was touched', async () => {
    const drift = await check();
    expect(drift).toMatchObject({ differences: [], differenceCount: 0, sequencesBehind: [] });
    expect(drift.organizationsChecked).toBeGreaterThanOrEqual(2);
    expect(drift.tuplesRead).toBeGreaterThan(10);
  });

  it('is looked for in organizations only', async () => {
    expect(await pathsOf(check(-5))).toEqual(['organizationId']);
  });

  it('planted by hand is found and named, and goes with the repair', async () => {
    const right = { object: organizationObject(organizationId), relation: 'viewer', user: teamMembers(teamId) };
    const wrong = { ...right, relation: 'owner' };
    const orphans = [
      { object: organizationObject(999_999), relation: 'owner', user: teamMembers(teamId) },
      { object: roleObject(888_888), relation: 'assignee', user: teamMembers(777_777) },
      // Far above the values of all sequences, so a repair must not advance a sequence to them.
      { object: organizationObject(9_007_199_254_740_991), relation: 'owner', user: teamMembers(teamId) },
    ];
    const ofDeletedRole = {
      object: organizationObject(organizationId), relation: 'org_mgmt_edit', user: roleAssignees(888_888),
    };
    await platform.engine.writeTuples({ deletes: [right], writes: [wrong, ...orphans, ofDeletedRole] }, operator());
    const drift = await check();
    const found = new Map(drift.differences.map(({ tuple, kind }) => [tupleKey(tuple!), kind]));
    expect(found).toEqual(new Map([
      [tupleKey(right), DifferenceKind.DIFFERENCE_KIND_MISSING],
      ...[wrong, ...orphans, ofDeletedRole].map((tuple) => (
        [tupleKey(tuple), DifferenceKind.DIFFERENCE_KIND_SURPLUS] as const
      )),
    ]));
    expect(drift.sequencesBehind).toEqual(['account', 'team', 'role']);

    const repaired = await repair();
    expect(repaired).toMatchObject({
      tuplesRemoved: 3, organizationsPending: [], sequencesMoved: ['account', 'team', 'role'],
    });
    expect(await check()).toMatchObject({ differences: [], sequencesBehind: [] });
    const next = await platform.user();
    expect(next.id).toBeGreaterThan(999_999);
    expect(next.id).toBeLessThan(2_000_000);
  }, 60_000);

  it('an emptied store fills again', async () => {
    const before = (await everything()).map(tupleKey).filter((key) => !key.includes('#at@')).sort();
    for (const tuple of await everything()) {
      await platform.engine.writeTuples({ deletes: [tuple], writes: [] }, operator());
    }
    expect((await check()).differenceCount).toBeGreaterThan(before.length);
    await repair();
    expect((await everything()).map(tupleKey).filter((key) => !key.includes('#at@')).sort()).toEqual(before);
    expect(await check()).toMatchObject({ differences: [] });
  }, 60_000);

  it('an organization the engine lost is written again when a decision finds it out', async () => {
    const late = await platform.user();
    const { id } = await platform.organization(late, { username: 'lost-and-found' });
    await platform.settled(id);
    const own = (await everything()).filter(({ object }) => object === organizationObject(id));
    await platform.engine.writeTuples({ deletes: own, writes: [] }, operator());
    expect(await reasonOf(checkOwner('lost-and-found', late))).toBe('OK');
    expect(await check(id)).toMatchObject({ differences: [] });
  }, 60_000);

  it('an organization the engine lost is written again when a change finds it out before any decision', async () => {
    const late = await platform.user();
    const { id } = await platform.organization(late, { username: 'lost-and-changed' });
    await platform.settled(id);
    const own = (await everything()).filter(({ object }) => object === organizationObject(id));
    await platform.engine.writeTuples({ deletes: own, writes: [] }, operator());
    await platform.database.execute(sql`
      insert into team (organization_id, name, permission) values (${id}, 'Changed', 'read')`);
    await platform.settled(id);
    expect(await check(id)).toMatchObject({ differences: [] });
    expect(await reasonOf(checkOwner('lost-and-changed', late))).toBe('OK');
  }, 60_000);

  it('under load the repair leaves rows and store equal', async () => {
    const random = organizationObject(555_555);
    await plant({ object: random, relation: 'owner', user: teamMembers(1) });
    let done = false;
    const load = Array.from({ length: 3 }, async (_, worker) => {
      for (let round = 0; !done || round < 5; round += 1) {
        await platform.database.execute(sql`
          update team set permission = ${['read', 'write', 'admin'][(round + worker) % 3]} where id = ${teamId}`);
        await reasonOf(platform.organization(owner, { username: `load-${worker}-${round}` }));
      }
    });
    const repaired = await repair();
    done = true;
    await Promise.all(load);
    expect(repaired.tuplesRemoved).toBe(1);
    expect(await check()).toMatchObject({ differences: [], sequencesBehind: [] });
  }, 90_000);
});
