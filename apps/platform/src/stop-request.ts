const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface StopRequest {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal;
  /** Resolves at the first signal. */
  readonly requested: Promise<void>;
}

/**
 * Listens for SIGINT, SIGTERM and SIGHUP. A signal may arrive several times (a terminal sends it to npm and to the
 * launcher, and npm passes it on): the first one counts, the others change nothing.
 */
export function listenForStop(): StopRequest {
  const controller = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  const onSignal = (): void => {
    controller.abort(new Error('interrupted'));
    resolve();
  };
  // Listen as long as the process lives: a repeated signal must not interrupt the stop, nor change its exit code.
  for (const signal of signals) process.on(signal, onSignal);
  return { signal: controller.signal, requested };
}
