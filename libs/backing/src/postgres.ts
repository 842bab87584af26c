import { dirname } from 'node:path';
import type { ServerBinary } from './find-binary.ts';
import { stopLeftover } from './pid-file.ts';
import { freePorts } from './ports.ts';
import { initialize, postgresPlace, stopOrphan } from './postgres-data.ts';
import { hearPostgres, probePostgres } from './postgres-probe.ts';
import type { ServerPlan } from './server-plan.ts';
import type { State } from './state.ts';
import { until } from './until.ts';

export interface PostgresAddress {
  readonly kind: 'address';
  /** URL with a role that may create roles and databases. */
  readonly url: string;
}

interface PostgresPlanOptions {
  readonly source: ServerBinary;
  readonly state: State;
  /** Port that PostgreSQL listens on; default: a free port. */
  readonly port?: number;
  /** Default 200. */
  readonly maxConnections?: number;
  /**
   * For tests: no fsync, and passwords of roles are cheap to check (`scram_iterations`). All data may become unusable
   * if the machine fails. Default false.
   */
  readonly volatile?: boolean;
}

export interface PostgresPlan extends ServerPlan {
  /** `postgres://postgres:<generated>@127.0.0.1:<port>/postgres`. Contains a secret. */
  readonly superuserUrl: string;
  readonly dataDirectory: string;
}

/** SIGINT is a fast shutdown: it ends sessions and writes a checkpoint. A killed server recovers at its next start. */
const STOP_SIGNAL = 'SIGINT';
const GRACE_MILLISECONDS = 10_000;

/** Returns a plan to run PostgreSQL on the data of a state folder. `prepare` runs initdb if there is no data. */
export async function planPostgres(options: PostgresPlanOptions): Promise<PostgresPlan> {
  const { source, state } = options;
  const port = options.port ?? (await freePorts(1))[0]!;
  const place = await postgresPlace(state);
  const password = await state.secret('postgres-superuser-password');
  const superuserUrl = `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
  const pidFile = state.pidFile('postgres');
  return {
    name: 'postgres',
    command: source.file,
    args: ['-D', place.data, ...settings(port, options)],
    environment: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    workingDirectory: '/',
    ...(place.user && { user: place.user }),
    pidFile,
    ports: [port],
    portFixed: options.port !== undefined,
    stopSignal: STOP_SIGNAL,
    graceMilliseconds: GRACE_MILLISECONDS,
    // A start after a kill replays the log since the last checkpoint, which may take minutes.
    readyMilliseconds: 600_000,
    superuserUrl,
    dataDirectory: place.data,
    async prepare(signal) {
      await stopLeftover(pidFile);
      await stopOrphan(place.data, GRACE_MILLISECONDS);
      await initialize(place, dirname(source.file), password, { volatile: options.volatile, signal });
    },
    ready: (signal) => until((attempt) => probePostgres(superuserUrl, attempt), signal),
    alive: async (signal) => void (await hearPostgres(superuserUrl, signal)),
  };
}

function settings(port: number, options: PostgresPlanOptions): string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    // Clients connect with TCP. The path of a Unix socket could exceed the limit of about 100 bytes.
    unix_socket_directories: '',
    max_connections: options.maxConnections ?? 200,
    log_line_prefix: '%m [%p] %q%u@%d ',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(options.volatile ? { fsync: 'off', full_page_writes: 'off', scram_iterations: 1 } : {}),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
