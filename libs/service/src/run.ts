import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { ConfigError } from './config.ts';
import { deadlineIn, within } from './deadline.ts';
import { createLogger, type Logger } from './log.ts';
import { platformVersion } from './version.ts';

/** A started service. Disposal finishes the accepted work, then stops the service. */
export interface RunningService extends AsyncDisposable {
  /** Addresses by purpose, e.g. `{ grpc: '127.0.0.1:41235', admin: '127.0.0.1:41240' }`. */
  readonly addresses: Readonly<Record<string, string>>;
}

/** The message to the launcher over the IPC channel after the start. */
export interface ReadyMessage {
  readonly ready: Readonly<Record<string, string>>;
}

/**
 * Starts a service and sends its addresses to the launcher. SIGTERM, SIGINT, an uncaught error or the end of the
 * launcher stops the service. The exit code is 1 if the start or the stop fails, or if an uncaught error stops the
 * service. A signal during the stop ends the process at once, with the exit code 130 (SIGINT) or 143 (SIGTERM).
 * @param start receives a signal that aborts when a stop is requested
 * @param options `stopTimeoutMs`: time limit of the stop in milliseconds. After it, the process exits with code 1
 */
export async function runService(
  name: string, start: (stopping: AbortSignal) => Promise<RunningService>,
  options: { readonly stopTimeoutMs?: number; readonly log?: Logger } = {},
): Promise<void> {
  boundUnusedBuffers();
  const { stopTimeoutMs = 10_000, log = createLogger({ service: name }) } = options;
  const stop = listenForStop(log);
  const starting = start(stop.signal);
  try {
    await Promise.race([starting, stop.requested]);
  } catch (error) {
    stop.ignore();
    reportStartError(log, error);
    return finish(1, log);
  }
  if (!stop.signal.aborted) {
    const { addresses } = await starting;
    log.info({ addresses, version: platformVersion }, 'ready');
    const message: ReadyMessage = { ready: addresses };
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
    // Write the cache of compiled code now, because a write at exit could exceed the time limit of the stop.
    flushCompileCache();
  }

  const code = await stop.requested;
  try {
    // Wait for a start that is still under way, so that its resources are released.
    const stopped = starting.then(
      (service) => service[Symbol.asyncDispose](),
      (error: unknown) => log.warn({ error }, 'the start was abandoned'),
    );
    await within(deadlineIn(stopTimeoutMs), stopped, 'stop');
  } catch (error) {
    log.error({ error, stopTimeoutMs }, 'stopped without finishing');
    process.exit(1);
  }
  log.info({}, 'stopped');
  finish(code, log);
}

/**
 * Makes V8 free unused buffers earlier than by default, even while it marks its old generation. Streams allocate a
 * buffer of 64 KiB for each read (ADR 0148).
 */
function boundUnusedBuffers(): void {
  setFlagsFromString('--scavenger-max-new-space-capacity-mb=2');
  setFlagsFromString('--no-separate-gc-phases');
}

/** Once a stop is requested, `signal` aborts, and `requested` resolves with the exit code. */
function listenForStop(log: Logger) {
  let isRequested = false;
  const stopping = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<number>();
  const request = (code: number, reason: string): void => {
    if (isRequested) return;
    isRequested = true;
    log.info({ reason }, 'stopping');
    stopping.abort(new Error('the service stops'));
    resolve(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isRequested) process.exit(128 + signalNumbers[signal]);
      request(0, signal);
    });
  }
  const broken = (error: unknown): void => {
    log.fatal({ error }, 'uncaught error');
    request(1, 'uncaught error');
  };
  process.on('uncaughtException', broken);
  process.on('unhandledRejection', broken);
  if (process.connected) process.once('disconnect', () => request(0, 'the launcher has ended'));
  return {
    requested,
    signal: stopping.signal,
    /** Call this when the process is ending for another reason. A signal then ends the process at once. */
    ignore: () => {
      isRequested = true;
    },
  };
}

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

export function reportStartError(log: Logger, error: unknown): void {
  if (error instanceof ConfigError) log.fatal({ problems: error.problems }, 'the configuration cannot be used');
  else log.fatal({ error }, 'the start failed');
}

/** Lets the process end by itself. If it is still alive after a second, logs the active resources and exits. */
function finish(code: number, log: Logger): void {
  process.exitCode = code;
  if (process.connected) process.disconnect();
  setTimeout(() => {
    log.warn({ resources: process.getActiveResourcesInfo() }, 'something kept the process from ending');
    process.exit();
  }, 1_000).unref();
}
