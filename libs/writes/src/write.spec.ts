import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, type Database, sql } from '@platform/postgres';
import { AdmissionChanged } from '@platform/rpc';
import { deadlineIn } from '@platform/service';
import { testDatabase, until } from '@platform/testing';
import { remoteAdmission } from './admission-check.ts';
import { deleteOldAudit } from './retention.ts';
import { contextOf, locks, thing, type ThingLock, thingsDatabase, waiting } from './fixtures/things.ts';
import { createWrite, type Write } from './write.ts';

let database: Database;
let write: Write<ThingLock['table']>;
beforeAll(async () => {
  database = await thingsDatabase();
  write = renewing(() => performance.now()).write;
});
afterAll(async () => database[Symbol.asyncDispose]());
beforeEach(() => database.execute(sql`delete from audit`));

/** A write that gets the time of its standing from `answer`. `asked` returns the number of these calls. */
function renewing(answer: () => number) {
  let asked = 0;
  const write = createWrite({
    database, locks, admission: remoteAdmission({ renew: async () => { asked += 1; return answer(); } }),
  });
  return { write, asked: () => asked };
}
const entries = () => database.query(sql<{ actor: string; action: string; object: string }>`
  select actor, action, object from audit order by id`);

describe('the audit of a write', () => {
  const change = { action: 'thing.changed', object: 'thing:1' };

  it('is written with the change, in the order of the changes', async () => {
    await write(contextOf(), [thing(1)], async (work) => {
      work.audit(change);
      await work.execute(sql`update thing set owner_id = owner_id where id = 1`);
      work.audit({ ...change, object: 'thing:2', subjectIds: [4], organizationId: 3, details: { name: ['a', 'b'] } });
    });
    expect(await entries()).toEqual([
      { actor: 'operator', ...change }, { actor: 'operator', ...change, object: 'thing:2' },
    ]);
  });

  it('is not written when the write fails, and once when it runs twice', async () => {
    const failing = write(contextOf(), [], async (work) => {
      work.audit(change);
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    await write(contextOf(), [], async (work) => {
      work.audit(change);
      if (work.attempt === 1) await work.execute(sql`do $$ begin raise exception using errcode = '40001'; end $$`);
    });
    expect(await entries()).toHaveLength(1);
  });

  it('ends after its time, in batches, by several at once', async () => {
    await database.execute(sql`
      insert into audit (at, actor, action, object, request_id)
      select now() - interval '31 days', 'platform', 'thing.old', 'thing:1', 'spec' from generate_series(1, 2500)`);
    const [day, soon] = [86_400_000, deadlineIn(20_000)];
    expect(await deleteOldAudit(database, 32 * day, soon)).toBe(0);
    const deleted = await Promise.all([1, 2, 3].map(() => deleteOldAudit(database, 30 * day, soon)));
    expect(deleted.reduce((sum, some) => sum + some, 0)).toBe(2_500);
  });

  it('has in every service the columns of the one table', async () => {
    const { schema, url } = await testDatabase('orgs-teams');
    const columns = (of: Database) => of.query(sql`
      select column_name, data_type, is_nullable from information_schema.columns
       where table_name = 'audit' and table_schema = current_schema() order by column_name`);
    await using orgsTeams = connect({ url, schema, applicationName: 'spec' });
    expect(await columns(orgsTeams)).toEqual(await columns(database));
  });
});

describe('what follows a commit', () => {
  it('runs once under each name, after the commit, and not without one', async () => {
    const ran: string[] = [];
    const follow = async (name: string) => {
      const [row] = await database.query(sql<{ ownerId: number }>`select owner_id as "ownerId" from thing where id = 11`);
      ran.push(`${name} ${row!.ownerId}`);
    };
    await write(contextOf(), [thing(11)], async (work) => {
      work.afterCommit('one', () => follow('replaced'));
      await work.execute(sql`update thing set owner_id = 5 where id = 11`);
      work.afterCommit('one', () => follow('kept'));
    });
    expect(ran).toEqual(['kept 5']);
    await write(contextOf(), [], async (work) => {
      work.afterCommit('one', () => follow('never'));
      throw new Error('refused');
    }).catch(() => undefined);
    expect(ran).toEqual(['kept 5']);
  });
});

describe('a write in a service that does not own the rows of the decision (authorization.md R6)', () => {
  const now = () => performance.now();

  it('asks nobody while the standing is fresh', async () => {
    const fresh = renewing(now);
    await expect(fresh.write(contextOf({ callerId: 5, readAt: now() }), [thing(1)], async () => 'done')).resolves.toBe('done');
    expect(fresh.asked()).toBe(0);
  });

  it('asks again when it is older, before anything is locked', async () => {
    const old = renewing(now);
    await old.write(contextOf({ callerId: 5, readAt: now() - 1_500 }), [thing(1)], async () => 'done');
    expect(old.asked()).toBe(1);
    const moved = createWrite({
      database, locks, admission: remoteAdmission({ renew: () => Promise.reject(new AdmissionChanged()) }),
    });
    let acted = false;
    const attempt = moved(contextOf({ callerId: 5, readAt: now() - 1_500 }), [thing(1)], async () => { acted = true; });
    await expect(attempt).rejects.toThrow(AdmissionChanged);
    expect(acted).toBe(false);
  });

  it('rolls back and asks again when it becomes too old while the write waits', async () => {
    const answers = [() => now() - 990, now];
    const { write: waitingWrite, asked } = renewing(() => answers.shift()!());
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = database.transact(async (transaction) => {
      await locks.take(transaction, [thing(12)]);
      held.resolve();
      await release.promise;
    });
    await held.promise;
    let acts = 0;
    const done = waitingWrite(contextOf({ callerId: 5, readAt: now() - 1_500 }), [thing(12)], async (work) => {
      acts += 1;
      await work.execute(sql`update thing set owner_id = owner_id + 1 where id = 12`);
    });
    const begun = now();
    await until(async () => (await waiting(database)) > 0 && now() - begun > 20, { what: 'it has waited for the row' });
    release.resolve();
    await holding;
    await done;
    expect({ acts, asked: asked() }).toEqual({ acts: 2, asked: 2 });
    expect(await database.query(sql`select owner_id as "ownerId" from thing where id = 12`)).toEqual([{ ownerId: 2 }]);
  });

  it('is not asked for the operator', async () => {
    const never = renewing(now);
    await never.write(contextOf(), [thing(1)], async () => 'done');
    expect(never.asked()).toBe(0);
  });
});
