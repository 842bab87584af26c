import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MILLISECONDS = 50;
/** Time limit of one attempt, because a server may accept the connection and stay silent. */
const TRY_MILLISECONDS = 2_000;

/** Repeats an attempt until it succeeds. Rejects once the signal is aborted. */
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
