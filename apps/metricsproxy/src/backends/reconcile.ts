import { addJobs, type JobContext, type TaskHandler } from '@platform/jobs';
import type { Parts } from '../parts.ts';
import { settle } from './settle.ts';
import { readBackend, returnLease, settleBackend, settleTask, takeLease, undoUnconfirmed } from './store.ts';

/** Delay before the job tries again if the lease of the backend is already taken, in milliseconds. */
const lookAgainMs = 3_000;

/**
 * Handles the job for a change of a backend that no request has finished. If the change is a first registration, the
 * job undoes the registration. Then the job updates the tokens and the dashboard (open-points 9.1).
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
  }, { deadlineMs: 60_000 });
}
