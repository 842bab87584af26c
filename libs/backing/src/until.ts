import { setTimeout as pause } from 'node:timers/promises';

/** Between two tries while a server starts. */
const PAUSE_MILLISECONDS = 50;
/** A single try may not hang on a server that takes the connection and stays silent. */
const TRY_MILLISECONDS = 2_000;

/** Tries until it succeeds; rejects with the signal's reason once that is aborted. */
export async function until(attempt: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      await attempt(AbortSignal.any([signal, AbortSignal.timeout(TRY_MILLISECONDS)]));
      return;
    } catch {
      await pause(PAUSE_MILLISECONDS, undefined, { signal });
    }
  }
}
