import { type Database, sql } from '@platform/postgres';
import { deadlineIn, loop, type OpenService } from '@platform/service';
import { postponeRenewal, renewUsage } from '../store/renew-usage.ts';

/** How often it is looked for usage that is due, and how much is renewed in one transaction. */
const everyMs = 500;
const objectsAtOnce = 200;
const versionsAtOnce = 10_000;
const renewMs = 20_000;

/**
 * Keeps the usage in line with events, contracts and licences, some seconds behind them. What is due is noted in the
 * transactions of the changes, so nothing is forgotten. Registers `usage_due_seconds`.
 */
export function keepUsageRenewed({ stack, log, metrics }: OpenService, database: Database): void {
  const behind = metrics.gauge({
    name: 'usage_due_seconds',
    help: 'How long the usage that has waited longest for its renewal has waited; 0: nothing waits.',
  });
  metrics.whenAsked(async (deadline) => {
    const { seconds } = await database.one(sql<{ seconds: number }>`
      select coalesce(extract(epoch from now() - min(due_since)), 0)::float8 as "seconds"
        from metered_object where due_from is not null`, { deadline });
    behind.set({}, seconds);
  });
  // Fewer after a failure, down to one: an object that cannot be renewed must not keep others from their renewal.
  let objects = objectsAtOnce;
  stack.use(loop('renew usage', everyMs, async (stopping) => {
    while (!stopping.aborted) {
      try {
        const isMoreDue = await database.transact(
          (transaction) => renewUsage(transaction, { objects, versions: versionsAtOnce }),
          { deadline: deadlineIn(renewMs, stopping) },
        );
        if (!isMoreDue) return;
        objects = Math.min(2 * objects, objectsAtOnce);
      } catch (error) {
        if (objects === 1) await postponeRenewal(database, deadlineIn(renewMs, stopping));
        objects = Math.max(1, Math.floor(objects / 4));
        throw error;
      }
    }
  }, log));
}
