import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { ConfigError } from './config.ts';
import { deadlineIn, within } from './deadline.ts';
import type { Logger } from './log.ts';
import { createLogger } from './log.ts';
import { platformVersion } from './version.ts';

/** A started service: what it listens on, and how to stop it (finishing what it has accepted). */
export interface RunningService extends AsyncDisposable {
  /** By purpose, e.g. `{ grpc: '127.0.0.1:41235', admin: '127.0.0.1:41240' }`. */
  readonly addresses: Readonly<Record<string, string>>;
}

export interface RunOptions {
  /** How long a stop may take before the process ends all the same; default 10 s. */
  readonly stopTimeoutMs?: number;
  readonly log?: Logger;
}

/** What a service sends to its launcher over the IPC channel, once everything answers. */
export interface ReadyMessage {
  readonly ready: Readonly<Record<string, string>>;
}

/**
 * Runs a service: starts, announces its addresses to a launcher, waits for SIGTERM, SIGINT or the
 * launcher's end, stops. A second signal ends at once. Exit code 1 when the start fails or after an uncaught error.
 * @param start its signal aborts when the process is asked to stop: what it waits for is then no longer worth it
 */
export async function runService(
  name: string,
  start: (stopping: AbortSignal) => Promise<RunningService>,
  options: RunOptions = {},
): Promise<void> {
  boundUnusedBuffers();
  const log = options.log ?? createLogger({ service: name });
  const stopTimeoutMs = options.stopTimeoutMs ?? 10_000;
  const stop = listenForStop(log);
  const starting = start(stop.signal);
  try {
    await Promise.race([starting, stop.requested]);
  } catch (error) {
    stop.ignore();
    reportStartError(log, error);
    return finish(1, log);
  }
  if (!stop.isRequested()) {
    const { addresses } = await starting;
    log.info({ addresses, version: platformVersion }, 'ready');
    announce({ ready: addresses });
    // The cache of compiled code is written now. Written at the exit, on a busy disk, it can outlast a stop.
    flushCompileCache();
  }

  const code = await stop.requested;
  try {
    // A start still under way is let come to its end, or give up, so that nothing it has opened is left behind.
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
 * Has V8 free unused buffers after each 8 MiB of them, also while it marks its old generation. By default it waits for
 * 128 MiB, and longer while it marks; streams make a buffer of 64 KiB for each read (ADR 0148).
 */
function boundUnusedBuffers(): void {
  setFlagsFromString('--scavenger-max-new-space-capacity-mb=2');
  setFlagsFromString('--no-separate-gc-phases');
}

interface Stop {
  /** Resolves with the exit code once somebody wants the process to stop. */
  readonly requested: Promise<number>;
  /** Aborts then. */
  readonly signal: AbortSignal;
  isRequested(): boolean;
  /** The process ends anyway: further wishes change nothing, a signal ends it at once. */
  ignore(): void;
}

function listenForStop(log: Logger): Stop {
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
    isRequested: () => isRequested,
    ignore: () => {
      isRequested = true;
    },
  };
}

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

/** Says why a service did not start: all that is wrong with its configuration, or the error. */
export function reportStartError(log: Logger, error: unknown): void {
  if (error instanceof ConfigError) {
    log.fatal({ problems: error.problems }, 'the configuration cannot be used');
  } else {
    log.fatal({ error }, 'the start failed');
  }
}

/** Sends it to the launcher, if there is one and it still listens. */
function announce(message: ReadyMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** Lets the process end by itself; what still holds it then is a leak, which is named and cut off. */
function finish(code: number, log: Logger): void {
  process.exitCode = code;
  if (process.connected) process.disconnect();
  setTimeout(() => {
    log.warn({ resources: process.getActiveResourcesInfo() }, 'something kept the process from ending');
    process.exit();
  }, 1_000).unref();
}
