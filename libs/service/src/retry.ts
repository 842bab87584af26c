import type { Logger } from './log.ts';

/** Growing pauses between attempts: `first`, doubled each time up to `most` (milliseconds), with jitter. */
export interface Backoff {
  readonly first: number;
  readonly most: number;
}

interface RepeatOptions extends Partial<Backoff> {
  /** Maximum number of attempts; default unlimited. */
  readonly attempts?: number;
  /** After the abort, no further attempt begins, and a pause ends at once. The last error is then thrown. */
  readonly signal?: AbortSignal;
  /** Whether a repeat after this error is safe and may help; default: always. */
  readonly again?: (error: unknown) => boolean;
  /** Called before each pause, with the error of the failed attempt. */
  readonly failed?: (error: unknown, attempt: number) => void;
}

const usual: Backoff = { first: 100, most: 5_000 };

/** The pause after attempt number `attempt` (from 1), in milliseconds: half fixed, half random. */
export function backoffPause(attempt: number, { first, most }: Backoff = usual): number {
  const full = Math.min(most, first * 2 ** Math.min(attempt - 1, 30));
  return full / 2 + Math.random() * (full / 2);
}

/** Resolves after `milliseconds`, or at once when `signal` aborts. Never rejects. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (isAborted(signal)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
  });
}

/**
 * Repeats `attempt` until it succeeds, with growing pauses.
 * @throws the last error once `attempts` are used up, `signal` aborts, or `again` returns false
 */
export async function repeatUntil<T>(
  attempt: (attempt: number) => Promise<T>, options: RepeatOptions = {},
): Promise<T> {
  const { first = usual.first, most = usual.most, attempts = Infinity, signal, again = () => true, failed } = options;
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(number);
    } catch (error) {
      if (number >= attempts || isAborted(signal) || !again(error)) throw error;
      failed?.(error, number);
      await pause(backoffPause(number, { first, most }), signal);
      if (isAborted(signal)) throw error;
    }
  }
}

/** Work that repeats until disposed. Disposing aborts the signal of the current run and waits for its end. */
export interface Loop extends AsyncDisposable {
  /**
   * Ends the current pause, so that the next run starts. During a run, it ends the pause after this run.
   * @param withinMs delay in milliseconds, so that several calls lead to one run; default 0
   */
  wake(withinMs?: number): void;
}

/**
 * Repeats `run` with pauses of `everyMs`. The first run starts at once. After an error, pauses grow up to a minute, or
 * `everyMs` if longer, until a run succeeds.
 * @param run may return another pause before the next run, in milliseconds
 */
export function loop(
  name: string, everyMs: number, run: (signal: AbortSignal) => Promise<number | void>, log: Logger,
): Loop {
  const stopping = new AbortController();
  const backoff = { first: Math.max(100, Math.min(everyMs, 1_000)), most: Math.max(everyMs, 60_000) };
  let woken = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const work = async (): Promise<void> => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      clearTimeout(timer);
      timer = undefined;
      woken = new AbortController();
      let next: number | void = undefined;
      try {
        next = await run(stopping.signal);
        failures = 0;
      } catch (error) {
        if (stopping.signal.aborted) return;
        failures += 1;
        log.error({ loop: name, failures, error }, 'background work failed and will be repeated');
      }
      const wait = failures === 0 ? next ?? everyMs : backoffPause(failures, backoff);
      await pause(wait, AbortSignal.any([stopping.signal, woken.signal]));
    }
  };

  const working = work();
  return {
    wake: (withinMs = 0) => {
      if (stopping.signal.aborted) return;
      if (withinMs > 0) timer ??= setTimeout(() => woken.abort(), withinMs);
      else woken.abort();
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await working;
      clearTimeout(timer);
    },
  };
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
