import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentName, type SettingKey } from '@platform/service';
import { freePort } from './free-port.ts';
import { held } from './harness.ts';
import { startAlone, startHosted } from './host/hosted-service.ts';
import { repositoryRoot } from './repository.ts';
import { startProcess, type ProcessExit, type ServiceProcess } from './service-process.ts';

/** Settings by key (`postgres.url`), in the notation of the environment. */
export type ServiceSettings = { readonly [Key in SettingKey]?: string };

/** A secret in the form that the launcher generates (64 hexadecimal characters), such as a service credential. */
export function testSecret(): string {
  return randomBytes(32).toString('hex');
}

/**
 * `killed`: it is stopped and killed by signals, in a process that may have held other services before. `measured`,
 * `traced`: it needs a new process that runs its `main.ts`, because the process itself is observed, or because tracing
 * exists once per process.
 */
export type OwnProcessReason = 'killed' | 'measured' | 'traced';

export interface StartServiceOptions {
  /** Number of processes with the same settings; default 1. */
  readonly replicas?: number;
  /**
   * Why the service needs a separate process. Otherwise it shares a process with other services of this worker.
   * `main`, `confine`, and `environment` without `file`, imply a new process.
   */
  readonly ownProcess?: OwnProcessReason;
  /** The file to run; default `apps/<name>/src/main.ts`. */
  readonly main?: string;
  /**
   * The file that exports the `service`, which then reads `environment`; default `apps/<name>/src/service.ts`. Not used
   * by a new process.
   */
  readonly file?: string;
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Shell commands that run before the program, such as `ulimit -n 64`. */
  readonly confine?: string;
}

/** One process of a service. Its addresses stay the same after a restart. */
export interface Replica {
  /** For signals and measurements. @throws RangeError if the process also holds other services: set `ownProcess` */
  readonly pid: number;
  /** Addresses by purpose, such as `{ grpc: '127.0.0.1:41235', admin: '127.0.0.1:41240' }`. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Lines that the current process has written. */
  readonly log: readonly string[];
  /** Resolves when the current process has ended. */
  readonly exited: Promise<ProcessExit>;
  /** Whether the process has ended since its last start. */
  readonly hasEnded: boolean;
  /** Sends a signal, default SIGKILL, and waits for the end of the process. */
  kill(signal?: NodeJS.Signals): Promise<ProcessExit>;
  /** Stops the process in an orderly way (SIGTERM). */
  stop(): Promise<ProcessExit>;
  /** Starts the process again on the same addresses. If it still runs, it is stopped in an orderly way first. */
  restart(): Promise<void>;
}

/** A running service. It is stopped at the end of the spec file, or earlier by disposing. */
export interface StartedService extends AsyncDisposable {
  readonly name: string;
  readonly replicas: readonly [Replica, ...Replica[]];
  /** Addresses of the first replica. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The addresses of all replicas for one purpose, separated by commas, as the `services.*` settings take them. */
  addressList(purpose: string): string;
  /** Stops all replicas in an orderly way. */
  stop(): Promise<void>;
}

/**
 * Starts a service with its settings: in the process that holds the services of this worker; if the options require it,
 * alone in a process, or in a new process with `apps/<name>/src/main.ts`, as users do. The services of a spec file
 * share a temporary state folder unless the settings name another one. The log of a service is shown if a test fails.
 *
 * ```ts
 * const service = await startService('orgs-teams', { ...database.settings, 'secrets.serviceCredential': credential });
 * ```
 * @throws ServiceNotStarted
 */
export async function startService(
  name: string, settings: ServiceSettings, options: StartServiceOptions = {},
): Promise<StartedService> {
  const app = join(repositoryRoot, 'apps', name, 'src');
  const { replicas: count = 1, main = join(app, 'main.ts'), file = join(app, 'service.ts') } = options;
  const { environment = {}, confine, ownProcess } = options;
  const isKilled = ownProcess === 'killed';
  const isNew = (ownProcess !== undefined && !isKilled) || options.main !== undefined || confine !== undefined
    || (options.file === undefined && options.environment !== undefined);
  if (!isNew && settings['telemetry.endpoint'] !== undefined) {
    throw new RangeError('tracing is set up once per process: set `ownProcess`');
  }
  const home = await stateFolder();
  // When a spec stops a service that shares its process, no call is in transit, so a short silence is enough.
  const usual: ServiceSettings = isNew || isKilled ? { home } : { home, 'stop.silence': '50ms' };
  const begin = (listen: ServiceSettings): Promise<ServiceProcess> => {
    const variables = { ...environment, ...asEnvironment({ ...usual, ...listen, ...settings }) };
    if (isNew) return startProcess(name, main, variables, confine);
    return (isKilled ? startAlone : startHosted)({ name, file, environment: variables });
  };
  const starts = await Promise.allSettled(Array.from({ length: count }, () => startReplica(begin)));
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failed = starts.find((start) => start.status === 'rejected');
  const [first, ...others] = started;
  if (failed !== undefined || first === undefined) {
    await Promise.all(started.map((replica) => replica.stop()));
    throw failed?.reason ?? new RangeError('a service has at least one replica');
  }
  const replicas: StartedService['replicas'] = [first, ...others];
  const stop = async (): Promise<void> => void (await Promise.all(replicas.map((replica) => replica.stop())));
  return held({
    name, replicas, stop,
    addresses: first.addresses,
    addressList: (purpose) => replicas.map((replica) => addressOf(name, replica, purpose)).join(','),
    [Symbol.asyncDispose]: stop,
  }, 'service');
}

let madeFolder: Promise<string> | undefined;

/** Default folder for files and mails of this spec file's services. All replicas share it. */
function stateFolder(): Promise<string> {
  madeFolder ??= mkdtemp(join(tmpdir(), 'platform-state-')).then((folder) => {
    held({
      [Symbol.asyncDispose]: async () => {
        madeFolder = undefined;
        await rm(folder, { recursive: true, force: true });
      },
    });
    return folder;
  });
  return madeFolder;
}

/** @param begin starts a process that listens on the given addresses */
async function startReplica(begin: (listen: ServiceSettings) => Promise<ServiceProcess>): Promise<Replica> {
  // Ports are chosen here: while the process is stopped, the system could give an automatically assigned port to a
  // connection.
  const [grpc, admin] = await Promise.all([freePort(), freePort()]);
  const listen = { 'grpc.listen': `127.0.0.1:${grpc}`, 'admin.listen': `127.0.0.1:${admin}` };
  let ended: ServiceProcess | undefined;
  const start = async (more: ServiceSettings = {}): Promise<ServiceProcess> => {
    const started = await begin({ ...listen, ...more });
    void started.exited.then(() => (ended = started));
    return started;
  };
  let current = await start();
  const { addresses, addresses: { http } } = current;
  return {
    addresses,
    get pid() {
      if (current.pid === undefined) throw new RangeError('it shares its process with others: set `ownProcess`');
      return current.pid;
    },
    get log() {
      return current.log;
    },
    get exited() {
      return current.exited;
    },
    get hasEnded() {
      return ended === current;
    },
    kill: (signal = 'SIGKILL') => current.kill(signal),
    stop: () => current.stop(),
    restart: async () => {
      await current.stop();
      current = await start(http === undefined ? {} : { 'http.port': new URL(`http://${http}`).port });
    },
  };
}

function addressOf(name: string, replica: Replica, purpose: string): string {
  const address = replica.addresses[purpose];
  if (address === undefined) {
    throw new RangeError(`${name} announced no address for ${purpose}: ${Object.keys(replica.addresses).join(', ')}`);
  }
  return address;
}

function asEnvironment(settings: ServiceSettings): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [environmentName(key), value]));
}
