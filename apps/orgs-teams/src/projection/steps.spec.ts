import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, sql, type Statement } from '@platform/postgres';
import { organizationObject, teamMembers } from '@platform/relations';
import type { OutgoingContext } from '@platform/rpc';
import { as, until } from '@platform/testing';
import { operator, reasonOf, startPlatform, type TestPlatform } from '../fixtures/platform.ts';
import type { Engine } from './engine.ts';
import { readTuples } from './engine.ts';
import { fenceFilter } from './relations.ts';
import { settleOnce } from './settle.ts';
import { readWaiting } from './waiting.ts';

let platform: TestPlatform;
let organizationId: number;
let teamId: number;
beforeAll(async () => {
  platform = await startPlatform();
  const owner = await platform.user();
  ({ id: organizationId } = await platform.organization(owner, { username: 'stepwise' }));
  ({ id: teamId } = await platform.database.one(sql<{ id: number }>`
    select id from team where organization_id = ${organizationId} and name = 'Viewers'`));
  await rests();
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

const setRight = (permission: string) =>
  platform.database.execute(sql`update team set permission = ${permission} where id = ${teamId}`);

/** The team's relations to the organization in the engine. */
async function rightInEngine(): Promise<string[]> {
  const filter = { object: organizationObject(organizationId), relation: '', user: teamMembers(teamId) };
  return (await readTuples(platform.engine, [filter], operator())).map(({ relation }) => relation);
}

async function rests(): Promise<void> {
  await until(async () => (await reasonOf(platform.identity.settle({ organizationId }, operator()))) === 'OK', {
    what: 'the organization is settled', within: 15_000,
  });
  const { differences } = await platform.drift(organizationId);
  expect(differences).toEqual([]);
}

/** The source of the fence in a settle. */
const fences = ['noted', 'read'] as const;
type Fence = (typeof fences)[number];

/** Settles the pending units, once. */
async function settle(database: Database, engine: Engine, fence: Fence, call: OutgoingContext): Promise<void> {
  const waiting = await readWaiting(platform.database, organizationId, call);
  expect(waiting.fence).toBeDefined();
  const known = fence === 'noted' ? waiting : { units: waiting.units, fence: undefined };
  await settleOnce(database, engine, organizationId, known, call);
}

/** The real engine, but the Writes that `at` selects by their number wait until `open` is called. */
function gated(at: (writes: number) => boolean) {
  const reached = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  let writes = 0;
  const engine: Engine = {
    readTuples: platform.engine.readTuples,
    writeTuples: async (request, call) => {
      writes += 1;
      if (at(writes)) {
        reached.resolve();
        await open.promise;
      }
      return platform.engine.writeTuples(request, call);
    },
  };
  return { engine, reached: reached.promise, open: open.resolve };
}

describe('a Write that comes late (authorization.md S4)', () => {
  it.each(fences)('is refused once somebody else has written, and nothing differs (fence %s)', async (fence) => {
    for (const [stale, fresh] of [['write', 'read'], ['admin', 'none'], ['write', 'admin']] as const) {
      const { engine, reached, open } = gated(() => true);
      await platform.service.replicas[0].stop();
      await setRight(stale);
      const zombie = reasonOf(settle(platform.database, engine, fence, as(undefined, 60_000)));
      await reached;
      await setRight(fresh);
      await platform.service.replicas[0].restart();
      await rests();
      open();
      expect(await zombie).toBe('CONFLICT');
      await rests();
    }
  }, 90_000);

  it.each([
    ['read', 'read', 'write'], ['noted', 'noted', 'admin'], ['noted', 'read', 'write'],
  ] as const)('of two settles with the same fence (%s, %s) exactly one lands', async (mine, others, right) => {
    await platform.service.replicas[0].stop();
    await setRight(right);
    const [one, other] = [gated(() => true), gated(() => true)];
    const settles = ([[one, mine], [other, others]] as const).map(([{ engine }, fence]) =>
      reasonOf(settle(platform.database, engine, fence, as(undefined, 30_000))));
    await Promise.all([one.reached, other.reached]);
    one.open();
    other.open();
    expect((await Promise.all(settles)).sort()).toEqual(['CONFLICT', 'OK']);
    expect(await rightInEngine()).toEqual([right === 'write' ? 'editor' : 'admin']);
    await platform.service.replicas[0].restart();
    await rests();
  }, 60_000);
});

describe('an end between two steps', () => {
  class Killed extends Error {}
  type Step = 'before S1' | 'after S1' | 'in S3' | 'before S4' | 'in S4, the answer lost' | 'before S5';
  const steps: readonly Step[] = ['before S1', 'after S1', 'in S3', 'before S4', 'in S4, the answer lost', 'before S5'];

  /** The real engine and database. At the given step, a call throws, as if the process ended there. */
  function endingAt(step: Step, fence: Fence): { engine: Engine; database: Database } {
    // With a noted fence, a settle skips the first read. So count this read already.
    let reads = fence === 'noted' ? 1 : 0;
    const end = (): never => {
      throw new Killed();
    };
    return {
      engine: {
        readTuples: async (request, call) => {
          reads += 1;
          if (step === 'before S1' && reads === 1) end();
          const answer = await platform.engine.readTuples(request, call);
          if (step === 'after S1' && reads === 1) end();
          if (step === 'in S3' && reads === 2) end();
          return answer;
        },
        writeTuples: async (request, call) => {
          if (step === 'before S4') end();
          const answer = await platform.engine.writeTuples(request, call);
          if (step === 'in S4, the answer lost') end();
          return answer;
        },
      },
      database: new Proxy(platform.database, {
        get: (database, name) => {
          const member: unknown = Reflect.get(database, name, database);
          if (typeof member !== 'function') return member;
          return (statement: Statement, ...others: unknown[]) => {
            if (step === 'before S5' && statement.text.includes('delete from projection_pending')) end();
            return (member as (...values: unknown[]) => unknown).call(database, statement, ...others);
          };
        },
      }),
    };
  }

  it.each(fences.flatMap((fence) =>
    steps.filter((step) => fence === 'read' || !step.endsWith('S1')).map((step) => [step, fence] as const)))(
    '%s leaves the unit, and the next settle puts everything right (fence %s)',
    async (step, fence) => {
      await platform.service.replicas[0].stop();
      const permission = (await rightInEngine())[0] === 'viewer' ? 'write' : 'read';
      await setRight(permission);
      const { engine, database } = endingAt(step, fence);
      await expect(settle(database, engine, fence, operator())).rejects.toThrow(Killed);
      const { pending } = await platform.database.one(sql<{ pending: number }>`
        select count(*) as "pending" from projection_pending where organization_id = ${organizationId}`);
      expect(pending).toBe(1);
      await platform.service.replicas[0].restart();
      await rests();
      expect(await rightInEngine()).toEqual([permission === 'write' ? 'editor' : 'viewer']);
    },
    60_000,
  );
});

describe('a note of the fence that is wrong', () => {
  it.each([
    ['older', sql`update noted_fence set revision = gen_random_uuid()`],
    ['missing', sql`delete from noted_fence`],
  ])('%s: the engine is asked, and everything is put right', async (_, statement) => {
    await platform.service.replicas[0].stop();
    const permission = (await rightInEngine())[0] === 'viewer' ? 'write' : 'read';
    await setRight(permission);
    await platform.database.execute(statement);
    await platform.service.replicas[0].restart();
    await rests();
    expect(await rightInEngine()).toEqual([permission === 'write' ? 'editor' : 'viewer']);
    const { fence } = await readWaiting(platform.database, organizationId, operator());
    const filter = fenceFilter(organizationId);
    expect(await readTuples(platform.engine, [filter], operator())).toEqual([fence]);
  }, 60_000);

  it('goes with its organization', async () => {
    const owner = await platform.user();
    const gone = await platform.organization(owner, { username: 'soon-gone' });
    const noted = () => platform.database.query(sql`select from noted_fence where organization_id = ${gone.id}`);
    await until(async () => (await noted()).length === 1, { what: 'the fence is noted' });
    await platform.organizations.deleteOrganization({ orgname: 'soon-gone' }, as(owner.token));
    await until(async () => (await noted()).length === 0, { what: 'the note is gone' });
  }, 60_000);
});

describe('trouble of the engine', () => {
  it('does not lose what waits: down while rows change, everything follows when it is back', async () => {
    await platform.authz.stop();
    await setRight('admin');
    expect(await reasonOf(platform.identity.settle({ organizationId }, as(undefined, 500)))).not.toBe('OK');
    await platform.authz.replicas[0].restart();
    await rests();
    expect(await rightInEngine()).toEqual(['admin']);
  }, 60_000);

  it('a change is answered all the same, within the patience of W4', async () => {
    const owner = await platform.user();
    await platform.authz.stop();
    const begun = performance.now();
    const created = await platform.organization(owner, { username: 'without-engine' });
    expect(created.username).toBe('without-engine');
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(
      await reasonOf(platform.organizations.getOrganization({ orgname: 'without-engine' }, as(owner.token))),
    ).toBe('OK');
    expect(
      await reasonOf(platform.organizations.checkOwner({ orgname: 'without-engine' }, as(owner.token, 2_000))),
    ).toBe('UNAVAILABLE');
    await platform.authz.replicas[0].restart();
    const check = () => reasonOf(platform.organizations.checkOwner({ orgname: 'without-engine' }, as(owner.token)));
    await until(async () => (await check()) === 'OK', { what: 'the decision can be made', within: 15_000 });
  }, 60_000);
});
