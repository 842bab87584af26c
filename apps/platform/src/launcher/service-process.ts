import { once } from 'node:events';
import { assertPortsFree, getText, type Reaper, type RunningServer, start } from '@platform/backing';
import { formatAddress, type ReadyMessage } from '@platform/service';
import type { ServicePorts } from './service-environment.ts';
import type { Part } from './supervisor.ts';

/** How a service of the platform is run: a Node program that sends its addresses over the IPC channel. */
interface ServiceProgram {
  readonly name: string;
  readonly main: string;
  /** Called at each start. Returns the whole environment of the process. */
  readonly environment: () => Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  /** Standard output and error are appended here. */
  readonly logFile: string;
  readonly readyMs: number;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

/**
 * Returns a {@link Part} that runs a service on the given ports. If a start fails and another process uses the API port
 * or the admin port, `start` throws BackingFault PORT_TAKEN.
 */
export function servicePart(program: ServiceProgram, ports: ServicePorts, silenceMs: number, reaper: Reaper): Part {
  const { name } = program;
  const admin = formatAddress('127.0.0.1', ports.admin);
  return {
    name,
    admin,
    life: { ask: async (signal) => void (await getText(`http://${admin}/livez`, { signal })), silenceMs },
    start: async (signal) => {
      try {
        return (await startService(program, { reaper, signal })).server;
      } catch (error) {
        if (!signal.aborted) await assertPortsFree(name, [ports.api, ports.admin], error);
        throw error;
      }
    },
  };
}

/**
 * Starts a service with the Node that runs this process. Resolves once the service reports that it is ready.
 * `addresses` contains the service's addresses by purpose: `{ grpc: '127.0.0.1:41235', admin: … }`. If the
 * start fails, the process does not run any more.
 * @throws BackingFault START_FAILED, NOT_READY; the reason of an aborted signal
 */
export async function startService(
  { name, main, environment, workingDirectory, logFile, readyMs, graceMs }: ServiceProgram,
  options: { readonly reaper: Reaper; readonly signal: AbortSignal },
): Promise<{ readonly server: RunningServer; readonly addresses: ReadyMessage['ready'] }> {
  const announced = Promise.withResolvers<ReadyMessage['ready']>();
  const { server } = await start(() => ({
    name,
    command: process.execPath,
    args: [main],
    environment: environment(),
    workingDirectory,
    // Check no ports before the start: the check would listen on them, and could receive calls of other services. The
    // caller checks the ports after a failure.
    ports: [],
    portFixed: true,
    stopSignal: 'SIGTERM',
    graceMilliseconds: graceMs,
    readyMilliseconds: readyMs,
    prepare: async () => undefined,
    onMessage: (message: unknown) => {
      const { ready } = (message ?? {}) as Partial<ReadyMessage>;
      if (ready !== undefined) announced.resolve(ready);
    },
    ready: async (signal: AbortSignal) => {
      signal.throwIfAborted();
      await Promise.race([announced.promise, once(signal, 'abort')]);
      signal.throwIfAborted();
    },
  }), { logFile, ...options });
  return { server, addresses: await announced.promise };
}
