/**
 * Listens for SIGINT, SIGTERM and SIGHUP. The first of them aborts `signal` and resolves `requested`. Later signals
 * have no effect, because a process may get one signal twice: from the terminal, and from npm.
 */
export function listenForStop(): { readonly signal: AbortSignal; readonly requested: Promise<void> } {
  const controller = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  const onSignal = (): void => {
    controller.abort(new Error('interrupted'));
    resolve();
  };
  // Listen as long as the process lives. A repeated signal must not end the process during the stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return { signal: controller.signal, requested };
}
