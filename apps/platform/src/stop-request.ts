/**
 * Listens for SIGINT, SIGTERM and SIGHUP. A signal may arrive several times (a terminal sends it to npm and to the
 * launcher, and npm passes it on): only the first signal counts.
 */
export function listenForStop(): { readonly signal: AbortSignal; readonly requested: Promise<void> } {
  const controller = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  const onSignal = (): void => {
    controller.abort(new Error('interrupted'));
    resolve();
  };
  // Listen as long as the process lives: a repeated signal must not interrupt the stop or change its exit code.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return { signal: controller.signal, requested };
}
