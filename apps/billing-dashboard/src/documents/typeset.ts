import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createLimiter, type Deadline, DeadlineExceeded } from '@platform/service';
import type { MonthDocument } from './month-document.ts';

/** Creates a PDF. @throws Unavailable if too many documents of the account wait, DeadlineExceeded, or a worker error */
export type Typeset = (document: MonthDocument, deadline: Deadline) => Promise<Uint8Array>;

/** Maximum number of waiting documents of one account. Accounts take turns. */
const mostWaiting = 4;
const what = 'the typesetter of documents';

/**
 * Typesets one document at a time. Each document gets a new thread with limited memory, so the event loop stays free.
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
