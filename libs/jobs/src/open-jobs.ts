import { type Database, openClientPool, type postgresPicks, sql, untilAvailable } from '@platform/postgres';
import { type Config, observeQueues, type OpenService, type QueueState, type ServiceConfig } from '@platform/service';
import { scheduled, taskList } from './handle.ts';
import { readFailingJobs, readTaskStates } from './job-state.ts';
import { type Replicas, watchReplicas } from './liveness.ts';
import { superviseRunner } from './runner.ts';
import { addFirstRun } from './schedules.ts';
import { setUpJobs } from './setup.ts';
import type { Schedule, TaskHandler } from './task.ts';

export interface Jobs {
  readonly tasks?: readonly TaskHandler[];
  readonly schedules?: readonly Schedule[];
  /** Maximum number of jobs that run at the same time in this replica; default 4. */
  readonly concurrency?: number;
}

/** Connections of graphile-worker: one receives notifications, two fetch and complete jobs. */
const connections = 3;

/**
 * Runs the jobs and schedules of a service until the service closes. The jobs are stored in the service's schema. Every
 * replica runs jobs. This function returns when jobs can be added. While PostgreSQL is unavailable, no new job starts.
 *
 * ```ts
 * export const removePicture = defineTask<{ name: string }>('remove-picture');
 * // in a write: work.effect(removePicture({ name }, { afterMs: 3_600_000 }))
 * await openJobs(service, config, database, {
 *   tasks: [removePicture.handledBy(({ name }, { deadline }) => files.remove(name, deadline))],
 *   schedules: [{ name: 'audit-retention', everyMs: 60_000, run: ({ deadline }) => … }],
 * });
 * ```
 */
export async function openJobs(
  service: OpenService, config: Config<typeof postgresPicks> & Pick<ServiceConfig, 'stopTimeoutMs'>, database: Database,
  { tasks = [], schedules = [], concurrency = 4 }: Jobs,
): Promise<void> {
  const { name, log, metrics, report, stack } = service;
  const { schema } = await untilAvailable(service, () =>
    database.one(sql<{ schema: string }>`select current_schema() as "schema"`));
  const pool = openClientPool({
    url: config.postgresUrl, schema, applicationName: `${name} jobs`, maxConnections: connections, log,
  });
  // Do not wait for connections that are still in use. They end with the process.
  stack.defer(() => void pool.end().catch(() => undefined));
  await untilAvailable(service, async () => {
    await setUpJobs(database, pool);
    for (const schedule of schedules) await addFirstRun(database, schedule);
  });

  const stopping = new AbortController();
  const handlers = [...tasks, ...schedules.map((schedule) => scheduled(database, schedule))];
  const runner = superviseRunner({
    pool, schema, concurrency, log, stopMs: 0.5 * config.stopTimeoutMs,
    tasks: taskList(handlers, service, stopping.signal),
    started: () => replicas?.look(),
  });
  const replicas: Replicas | undefined = stack.use(watchReplicas({ database, schedules, log, runner, concurrency }));
  stack.use(runner);
  stack.defer(() => stopping.abort());
  report.failingJobs = (deadline) => readFailingJobs(database, deadline);
  observe(metrics, database, handlers.map(({ task }) => task));
}

function observe(metrics: OpenService['metrics'], database: Database, tasks: readonly string[]): void {
  const failing = metrics.gauge({
    name: 'jobs_failing', help: 'Unfinished jobs that have failed or were interrupted, by task.', labels: ['task'],
  });
  const nothing: QueueState = { pending: 0, oldestSeconds: 0 };
  observeQueues(metrics, tasks, async (deadline) => {
    const states = await readTaskStates(database, deadline);
    for (const task of tasks) failing.set({ task }, states.get(task)?.failing ?? 0);
    return Object.fromEntries(tasks.map((task) => [task, states.get(task) ?? nothing]));
  });
}
