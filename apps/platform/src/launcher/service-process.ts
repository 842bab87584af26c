import { once } from 'node:events';
import { type Reaper, type RunningServer, start } from '@platform/backing';
import type { ReadyMessage } from '@platform/service';

/** How a service of the platform is run: a Node program that sends its addresses over the IPC channel. */
export interface ServiceProgram {
  readonly name: string;
  /** Path of its `main.ts`. */
  readonly main: string;
  /** The whole environment of the process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  /** Standard output and error are appended here. */
  readonly logFile: string;
  /** Milliseconds within which it must be ready. */
  readonly readyMs: number;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

export interface StartedService {
  readonly server: RunningServer;
  /** By purpose, as it announced them: `{ grpc: '127.0.0.1:41235', admin: … }`. */
  readonly addresses: Readonly<Record<string, string>>;
}

/**
 * Starts a service with this Node and resolves once it reports that it is ready. It runs in a session of its own, so
 * Ctrl-C reaches only the launcher. It stops when the launcher disappears, by the channel and by the reaper.
 * @throws BackingFault START_FAILED (with the end of its log), NOT_READY; nothing is left running then
 */
export async function startService(
  program: ServiceProgram,
  options: { readonly reaper: Reaper; readonly signal: AbortSignal },
): Promise<StartedService> {
  const announced = Promise.withResolvers<StartedService['addresses']>();
  const plan = {
    name: program.name,
    command: process.execPath,
    args: [program.main],
    environment: program.environment,
    workingDirectory: program.workingDirectory,
    // Ports are checked only after a failure: a check listens on them, and other services may already call them.
    ports: [],
    portFixed: true,
    stopSignal: 'SIGTERM',
    graceMilliseconds: program.graceMs,
    readyMilliseconds: program.readyMs,
    prepare: async () => undefined,
    onMessage: (message: unknown) => {
      if (isReady(message)) announced.resolve(message.ready);
    },
    ready: async (signal: AbortSignal) => {
      signal.throwIfAborted();
      await Promise.race([announced.promise, once(signal, 'abort')]);
      signal.throwIfAborted();
    },
  } as const;
  const { server } = await start(() => plan, { logFile: program.logFile, ...options });
  return { server, addresses: await announced.promise };
}

function isReady(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && 'ready' in message;
}
