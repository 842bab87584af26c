import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, type Database, sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { http, type ServiceSettings, startService, tcpProxy, testDatabase, until } from '@platform/testing';
import { addJobs } from './add-jobs.ts';
import { brief, flaky, record, slow, stubborn } from './fixtures/tasks.ts';
import { readFailingJobs, readTaskStates } from './job-state.ts';
import { runNow } from './schedules.ts';

const file = fileURLToPath(new URL('./fixtures/worker.ts', import.meta.url));
const migrations = fileURLToPath(new URL('./fixtures/migrations/', import.meta.url));
let opened: AsyncDisposableStack;
beforeEach(() => {
  opened = new AsyncDisposableStack();
});
afterEach(() => opened.disposeAsync());

/** For a case that kills a replica, or that observes its process. */
const alone = { ownProcess: 'killed' } as const;

interface WorkerOptions extends Partial<typeof alone> {
  readonly replicas?: number;
  /** Maps the URL of the database to the URL with which the worker connects, such as the URL of a proxy. */
  readonly through?: (url: string) => Promise<string>;
}

/** Starts replicas of the worker on a new database. */
async function workers({ through = async (url) => url, ...options }: WorkerOptions = {}) {
  const testing = await testDatabase('jobs', { migrations });
  const database = opened.use(connect({ url: testing.url, schema: testing.schema, applicationName: 'jobs spec' }));
  const settings: ServiceSettings = { ...testing.settings, 'postgres.url': await through(testing.url) };
  const service = opened.use(await startService('worker', settings, { file, ...options }));
  const runsOf = (what: string) => database.query(sql<{ attempt: number; pid: number; at: Date }>`
    select attempt, pid, at from run where what = ${what} order by id`);
  const ran = (what: string, times = 1, within = 20_000) => until(
    async () => ((await runsOf(what)).length >= times ? runsOf(what) : undefined),
    { what: `${what} has run ${times} times`, within },
  );
  return { service, database, settings, runsOf, ran };
}

/** Number of stored jobs, except jobs of schedules. */
const stored = async (database: Database) => (await database.query(sql`
  select from _private_jobs where key is null or key not like 'schedule:%'`)).length;

describe('a job', () => {
  it('runs after the commit of the transaction that added it, and never when that is rolled back', async () => {
    const { database, service, ran, runsOf } = await workers(alone);
    await database.transact(async (transaction) => {
      await addJobs(transaction, [record({ what: 'rolled back' })]);
      throw new Error('refused');
    }).catch(() => undefined);
    await database.transact(async (transaction) => {
      await addJobs(transaction, [record({ what: 'committed' })]);
      expect(await runsOf('committed')).toEqual([]);
    });
    await ran('committed');
    expect(await runsOf('rolled back')).toEqual([]);
    await until(async () => (await stored(database)) === 0, { what: 'nothing is left' });
    // graphile-worker 0.18 writes problems of a pool to stderr and not to the log.
    expect(service.replicas[0].log.filter((line) => !line.startsWith('{'))).toEqual([]);
  });

  it('is replaced by a newer one of its key while it waits', async () => {
    const { database, ran, runsOf } = await workers();
    await addJobs(database, [record({ what: 'older' }, { key: 'one', afterMs: 600_000 })]);
    await addJobs(database, [record({ what: 'newer' }, { key: 'one' }), record({ what: 'other' })]);
    await ran('newer');
    await ran('other');
    await until(async () => (await stored(database)) === 0, { what: 'nothing is left' });
    expect(await runsOf('older')).toEqual([]);
  });

  it('is replaced by a later one of its key in the same call', async () => {
    const { database, ran, runsOf } = await workers();
    const first = record({ what: 'first' }, { key: 'one' });
    await addJobs(database, [first, record({ what: 'other' }), record({ what: 'second' }, { key: 'one' })]);
    await ran('second');
    await ran('other');
    expect(await runsOf('first')).toEqual([]);
    await addJobs(database, [first, first]);
    await ran('first');
  });

  it('that was delayed runs when it is due, also when its notification was lost', async () => {
    const { database, ran, runsOf } = await workers();
    await ran('long');
    // Delete the schedule, because its jobs would also wake the replica.
    await until(() => database.execute(sql`
      delete from _private_jobs
       where key = 'schedule:tick' and is_available and not exists (select from _private_jobs where locked_by is not null)`), {
      what: 'the schedule is gone',
    });
    await addJobs(database, [record({ what: 'notified' }, { afterMs: 500 })]);
    await ran('notified');
    await database.execute(sql`alter table _private_jobs disable trigger job_notice`);
    // graphile-worker looks for jobs at once, but this job is not due yet.
    await addJobs(database, [record({ what: 'lost' }, { afterMs: 500 })]);
    expect(await runsOf('lost')).toEqual([]);
    await ran('lost', 1, 30_000);
  }, 60_000);

  it('that fails is repeated with growing pauses until it does not, and is seen meanwhile', async () => {
    const { service, database, ran } = await workers();
    await addJobs(database, [flaky({ what: 'flaky', failures: 3 })]);
    const failing = await until(async () => {
      const jobs = await readFailingJobs(database, deadlineIn(5_000));
      return jobs[0]?.lastError === 'attempt 3 fails' ? jobs : undefined;
    }, { what: 'a job has failed three times', within: 20_000 });
    expect(failing).toMatchObject([{ task: 'flaky', attempts: 3, lastError: 'attempt 3 fails' }]);
    const states = await readTaskStates(database, deadlineIn(5_000));
    expect(states.get('flaky')).toMatchObject({ pending: 1, failing: 1 });
    const metrics = (await http(`http://${service.addresses['admin']}`).get('/metrics')).body.toString();
    expect(metrics).toMatch(/^jobs_failing\{task="flaky",.*\} 1$/m);
    expect(metrics).toMatch(/^job_runs_total\{task="flaky",outcome="failed",.*\} 3$/m);
    expect(metrics).toMatch(/^queue_pending\{queue="flaky",.*\} 1$/m);
    const runs = await ran('flaky', 4);
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    const pauses = runs.slice(1).map(({ at }, index) => at.getTime() - runs[index]!.at.getTime());
    // At least half of 1, 2 and 4 seconds, because the pauses have jitter.
    pauses.forEach((pause, index) => expect(pause).toBeGreaterThanOrEqual(500 * 2 ** index));
  });

  it('waits at most five minutes after a failure, however many there were, and is never given up', async () => {
    const { database } = await workers();
    for (const attempts of [9, 40, 1_500, 32_700]) {
      const waits = await database.one(sql<{ seconds: number; attempts: number }>`
        with job as (
          insert into _private_jobs (task_id, attempts, max_attempts, locked_at, locked_by)
          select id, ${attempts}::smallint, 32767, now(), 'spec' from _private_tasks limit 1 returning id
        ) select id as "seconds", 0 as "attempts" from job`);
      const failed = await database.one(sql<{ seconds: number; attempts: number; isAvailable: boolean }>`
        update _private_jobs set last_error = 'failed', locked_at = null, locked_by = null where id = ${waits.seconds}
        returning extract(epoch from run_at - clock_timestamp())::float8 as "seconds", attempts, is_available as "isAvailable"`);
      expect(failed.seconds).toBeGreaterThan(120);
      expect(failed.seconds).toBeLessThanOrEqual(300);
      expect(failed.isAvailable).toBe(true);
    }
  });

  it('that does not end by its deadline counts as failed', async () => {
    const { database, ran } = await workers();
    await addJobs(database, [stubborn({ what: 'stubborn' })]);
    await ran('stubborn', 2);
    const [failing] = await database.query(sql`select last_error as "lastError" from _private_jobs where last_error is not null`);
    expect(failing).toEqual({ lastError: 'the job stubborn did not finish before the deadline' });
  });
});

describe('replicas that start at once', () => {
  it('make what jobs need in an empty schema, with the rights of a service', async () => {
    const testing = await testDatabase('jobs', { migrations: '/nonexistent' });
    const database = opened.use(connect({ url: testing.url, schema: testing.schema, applicationName: 'jobs spec' }));
    const service = opened.use(await startService('worker', testing.settings, { file, replicas: 3 }));
    await addJobs(database, [record({ what: 'first' })]);
    await until(async () => (await database.query(sql`select from run where what = 'first'`)).length === 1, {
      what: 'the first job has run', within: 20_000,
    });
    expect(service.replicas).toHaveLength(3);
  }, 60_000);
});

describe('a replica that is gone', () => {
  it('loses its jobs within seconds to another one', async () => {
    const { service, database, ran } = await workers({ ...alone, replicas: 2 });
    // The number of jobs that one replica runs at once, so the survivor has room for all of them.
    const jobs = ['slow 0', 'slow 1', 'slow 2', 'slow 3'];
    await addJobs(database, jobs.map((what) => slow({ what })));
    const first = await Promise.all(jobs.map(async (what) => ({ what, run: (await ran(what))[0]! })));
    const killed = service.replicas.find(({ pid }) => pid === first[0]!.run.pid)!;
    const survivor = service.replicas.find((replica) => replica !== killed)!;
    await killed.kill();
    for (const { what } of first.filter(({ run }) => run.pid === killed.pid)) {
      expect((await ran(what, 2, 30_000))[1]).toMatchObject({ attempt: 2, pid: survivor.pid });
    }
  }, 60_000);

  it('finds its jobs again when it is the only one and starts again', async () => {
    const { service, database, ran } = await workers(alone);
    const [replica] = service.replicas;
    await addJobs(database, [slow({ what: 'lost' })]);
    await ran('lost');
    await replica.kill();
    await replica.restart();
    expect(await ran('lost', 2, 30_000)).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  }, 60_000);

  it('that stops in order gives its jobs back at once', async () => {
    const { service, database, ran } = await workers();
    await addJobs(database, [slow({ what: 'interrupted' })]);
    await ran('interrupted');
    expect(await service.replicas[0].stop()).toEqual({ code: 0, signal: null });
    expect(await database.query(sql`
      select locked_by as "lockedBy" from _private_jobs where payload ->> 'what' = 'interrupted'`,
    )).toEqual([{ lockedBy: null }]);
    expect(await database.query(sql`select from job_replica`)).toEqual([]);
  });
});

describe('a schedule', () => {
  it('runs again and again, one replica at a time', async () => {
    const { database, ran } = await workers({ replicas: 3 });
    await ran('tick', 4);
    expect(await database.query(sql`
      select task.identifier from _private_jobs job join _private_tasks task on task.id = job.task_id
       where key like 'schedule:%' order by 1`)).toEqual([{ identifier: 'daily' }, { identifier: 'long' }, { identifier: 'tick' }]);
    expect(await ran('daily')).toHaveLength(1);
  });

  it('makes up once for what was missed while no replica was up, and does not begin again at each start', async () => {
    const { service, database, ran, runsOf } = await workers();
    const [replica] = service.replicas;
    await ran('daily');
    await until(async () => (await database.query(sql`
      select from _private_jobs where key = 'schedule:daily' and run_at > now()`)).length === 1, { what: 'it waits' });
    await replica.restart();
    await ran('tick', (await runsOf('tick')).length + 1);
    expect(await runsOf('daily')).toHaveLength(1);
    await replica.stop();
    await database.execute(sql`update _private_jobs set run_at = now() - interval '3 days' where key = 'schedule:daily'`);
    await replica.restart();
    await ran('daily', 2);
    await ran('tick', (await runsOf('tick')).length + 2);
    expect(await runsOf('daily')).toHaveLength(2);
  });
});

describe('a schedule that is asked to run now', () => {
  it('runs, also when it is asked while it runs', async () => {
    const { database, ran, runsOf } = await workers();
    await ran('daily');
    await addJobs(database, [runNow('daily')]);
    await ran('daily', 2);
    await addJobs(database, [runNow('long')]);
    const [{ id }] = await until(async () => {
      const running = await database.query(sql<{ id: number }>`
        select job.id from _private_jobs job join _private_tasks task on task.id = task_id
         where identifier = 'long' and locked_by is not null`);
      return running.length > 0 ? running as [{ id: number }] : undefined;
    }, { what: 'it runs' });
    const before = (await runsOf('long')).length;
    await addJobs(database, [runNow('long')]);
    await until(async () => (await database.query(sql`select from _private_jobs where id = ${id}`)).length === 0, {
      what: 'that run has ended',
    });
    await ran('long', before + 1);
  });

  it('runs again after the clock of PostgreSQL was set back', async () => {
    const { database, ran } = await workers();
    await ran('tick');
    await until(async () => await database.execute(sql`
      update _private_jobs set run_at = now() + interval '2 minutes' where key = 'schedule:tick' and run_at > now()`), {
      what: 'it is far away',
    });
    const { length } = await ran('tick');
    await ran('tick', length + 1, 40_000);
  }, 60_000);
});

describe('without PostgreSQL', () => {
  it('nothing runs, the process lives, and everything goes on when it is back', async () => {
    let proxy: Awaited<ReturnType<typeof tcpProxy>> | undefined;
    const { service, database, ran } = await workers({
      ...alone,
      through: async (given) => {
        const url = new URL(given);
        proxy = await tcpProxy(url.host);
        url.host = proxy.address;
        return url.href;
      },
    });
    const { pid } = service.replicas[0];
    await addJobs(database, [slow({ what: 'under way' })]);
    await ran('under way');
    await addJobs(database, [brief({ what: 'cannot be completed' })]);
    await ran('cannot be completed');
    await proxy!.refuse();
    await addJobs(database, [record({ what: 'added meanwhile' })]);
    const admin = http(`http://${service.addresses['admin']}`);
    await until(async () => (await admin.get('/readyz')).status === 503, { what: 'the service sees it' });
    const { log } = service.replicas[0];
    await until(() => log.some((line) => line.includes('graphile-worker ended')), {
      what: 'the engine has given up, because it could not complete a job', within: 20_000,
    });
    await proxy!.release();
    await ran('added meanwhile', 1, 30_000);
    await addJobs(database, [record({ what: 'added after' })]);
    await ran('added after');
    await ran('cannot be completed', 2, 30_000);
    await ran('under way', 2, 30_000);
    expect(service.replicas[0].pid).toBe(pid);
  }, 60_000);
});
