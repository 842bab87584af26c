import { defineTask, type NewJob } from '@platform/jobs';

export const settleTask = defineTask<{ readonly id: number }>('settle-backend');

/** The job that brings a dashboard in line with a backend, or finds that it is. One of each backend waits. */
export function settleBackend({ id }: { readonly id: number }, afterMs: number): NewJob {
  return settleTask({ id }, { key: `settle-backend/${id}`, afterMs });
}
