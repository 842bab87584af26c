import { addJobs, type JobContext, type TaskHandler } from '@platform/jobs';
import type { Parts } from '../parts.ts';
import { settle } from './settle.ts';
import { readBackend, returnLease, settleBackend, settleTask, takeLease, undoUnconfirmed } from './store.ts';

/** When to look again at a backend that somebody works on, in milliseconds. */
const lookAgainMs = 3_000;
const mostMs = 60_000;

/**
 * Finishes what a request has left: a registration that failed or whose process died, and a removal while the dashboard
 * was away (open-points 9.1). A first registration is undone, because nobody got its answer. It is repeated until it
 * succeeds, as jobs are: after a second, doubling to five minutes.
 */
export function reconcile(parts: Parts): TaskHandler {
  const { database } = parts;
  return settleTask.handledBy(async ({ id }, { deadline, requestId, log }: JobContext) => {
    const row = await readBackend(database, id, { deadline });
    if (row === undefined || row.settled) return;
    const lease = await takeLease(database, id, { deadline });
    if (lease === undefined) return await addJobs(database, [settleBackend({ id }, lookAgainMs)]);
    try {
      await undoUnconfirmed(database, lease, { deadline });
      await settle(parts, lease, { deadline, requestId, log });
    } catch (error) {
      await returnLease(database, lease, { deadline }).catch(() => undefined);
      throw error;
    }
  }, { deadlineMs: mostMs });
}
