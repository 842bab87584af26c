import { type Database, sql } from '@platform/postgres';
import { deadlineIn, type Loop, loop, type OpenService, seldom } from '@platform/service';
import { markChangedTerms } from './changed-terms.ts';
import { postponeRenewal, renewUsage, untilUsageIsDue } from './renew-usage.ts';

/**
 * Minimum interval of the search for due usage, in milliseconds. While this process cannot receive notifications from
 * PostgreSQL, it always uses this interval.
 */
const everyMs = 500;
/** Maximum interval of the search for due usage, in milliseconds. */
const idleMs = 5_000;
/**
 * While events arrive without a pause of `quietMs`, the renewal of an object waits `settleMs` for further events of the
 * object. A renewal takes about as long as storing an event, so one renewal should cover several events.
 */
const settleMs = 4_000;
const quietMs = 300;
/** Limits for one transaction: objects, versions, notes about changed terms, and time in milliseconds. */
const objectsAtOnce = 400;
const versionsAtOnce = 10_000;
const placesAtOnce = 50;
const renewMs = 20_000;
/** Maximum number of renewals at the same time, in this process. */
const mostAtOnce = 2;

/**
 * Keeps usage in line with events, contracts and licences, with a delay of some seconds. PostgreSQL notifies this
 * process of changed terms (ADR 0284). A regular search finds events that a process stored before it was killed.
 * @returns a function to call when this process has stored events
 */
export function keepUsageRenewed(
  { stack, log, metrics }: Pick<OpenService, 'stack' | 'log' | 'metrics'>, database: Database,
): () => void {
  const behind = metrics.gauge({
    name: 'usage_due_seconds',
    help: 'Age in seconds of the oldest pending recalculation of usage; 0 if none is pending.',
  });
  metrics.whenAsked(async (deadline) => {
    // A postponed object is due in the future, so it does not count.
    const { seconds } = await database.one(sql<{ seconds: number }>`
      select greatest(extract(epoch from now() - min(since)), 0)::float8 as "seconds"
        from (
          select min(due_since) as since from metered_object where due_from is not null
          union all
          select min(noted_at) from changed_terms
        ) due`, { deadline });
    behind.set({}, seconds);
  });
  const postponed = metrics.counter({
    name: 'usage_renewals_postponed_total',
    help: 'Failed recalculations of the usage of a single object. Each recalculation is retried after 10 s.',
  });
  const said = seldom();
  /** When this process stored events for the last time, and for the last time before. */
  let [storedAt, before] = [-Infinity, -Infinity];
  const settledMs = (): number =>
    (performance.now() - storedAt < quietMs && storedAt - before < quietMs ? settleMs : 0);
  // Size of the next batch. A failure makes it smaller, down to one, so that a bad object does not block other objects.
  let objects = objectsAtOnce;

  /**
   * Marks objects whose terms have changed, so that their usage is computed again. Returns whether more objects may
   * have to be marked. Does not throw after a failure, but returns false, so that renewals continue.
   */
  const mark = async (stopping: AbortSignal): Promise<boolean> => {
    try {
      return await database.transact(
        (transaction) => markChangedTerms(transaction, { objects: objectsAtOnce, places: placesAtOnce }),
        { deadline: deadlineIn(renewMs, stopping) },
      );
    } catch (error) {
      const leftOut = stopping.aborted ? undefined : said('mark');
      if (leftOut !== undefined) {
        log.warn({ leftOut, error }, 'cannot mark objects whose usage must be updated; retrying');
      }
      return false;
    }
  };

  /**
   * Renews one batch. Returns whether more objects may be due. Returns true after a failure, so that other
   * objects do not wait.
   * @throws if no object can be postponed after a failure
   */
  const renew = async (stopping: AbortSignal): Promise<boolean> => {
    try {
      const isMoreDue = await database.transact(
        (transaction) => renewUsage(transaction, { objects, versions: versionsAtOnce, settledMs: settledMs() }),
        { deadline: deadlineIn(renewMs, stopping) },
      );
      objects = Math.min(2 * objects, objectsAtOnce);
      return isMoreDue;
    } catch (error) {
      if (objects > 1) {
        objects = Math.max(1, Math.floor(objects / 4));
        return true;
      }
      const objectId = await postponeRenewal(database, deadlineIn(renewMs, stopping));
      if (objectId === undefined) throw error;
      postponed.add({});
      const leftOut = said(String(objectId));
      if (leftOut !== undefined) {
        log.error({ objectId, leftOut, error }, 'cannot update the usage of an object; retrying later');
      }
      return true;
    }
  };

  const renewing: Loop = stack.use(loop('renew usage', everyMs, async (stopping) => {
    const waitMs = settledMs();
    const dueInMs = await untilUsageIsDue(database, waitMs, deadlineIn(renewMs, stopping)) ?? idleMs;
    if (dueInMs > 0) {
      const isQuiet = waitMs === 0 && database.notices.areHeard;
      return isQuiet ? Math.min(idleMs, Math.max(everyMs, dueInMs)) : waitMs > 0 ? quietMs : everyMs;
    }
    for (let [isMore, atOnce] = [true, 1]; isMore && !stopping.aborted;) {
      // Alternate between `mark` and `renew`. Otherwise, events of other owners would wait until all objects of a large
      // cluster are marked.
      const isMoreToMark = await mark(stopping);
      const renewals = await Promise.all(Array.from({ length: atOnce }, () => renew(stopping)));
      const isMoreDue = renewals.includes(true);
      // After a failure, renew one batch at a time to find the bad object.
      atOnce = isMoreDue && objects === objectsAtOnce ? mostAtOnce : 1;
      isMore = isMoreToMark || isMoreDue;
    }
    return everyMs;
  }, log));
  const wake = (): void => renewing.wake(everyMs);
  database.notices.on('terms', wake);
  return () => {
    [storedAt, before] = [performance.now(), storedAt];
    wake();
  };
}
