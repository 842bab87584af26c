import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createLimiter, type Deadline, DeadlineExceeded } from '@platform/service';
import type { MonthDocument } from './month-document.ts';

/**
 * Creates a PDF.
 * @throws Unavailable if too many documents of the account wait
 * @throws DeadlineExceeded, or the error of the worker
 */
export type Typeset = (document: MonthDocument, deadline: Deadline) => Promise<Uint8Array>;

/** Maximum number of waiting documents of one account. Accounts take turns. */
const mostWaiting = 4;
const what = 'the typesetter of documents';

/**
 * Returns a function that typesets one document at a time. It uses a new thread for each document, so that the event
 * loop stays free. The memory of the thread is limited.
 */
export function createTypeset(): Typeset {
  const { run: inTurn } = createLimiter(1, what, mostWaiting);
  return (document, deadline) => inTurn(deadline, async () => {
    const worker = new Worker(new URL('typeset-worker.ts', import.meta.url), {
      workerData: document, resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 },
    });
    try {
      const [pdf] = await once(worker, 'message', { signal: deadline.signal }) as [Uint8Array];
      return pdf;
    } catch (error) {
      throw deadline.signal.aborted ? new DeadlineExceeded(what) : error;
    } finally {
      await worker.terminate();
    }
  });
}
