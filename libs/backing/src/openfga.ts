import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BackingFault } from './fault.ts';
import type { ServerBinary } from './find-binary.ts';
import { type OpenfgaAccess, probeOpenfga } from './openfga-probe.ts';
import { stopLeftover } from './pid-file.ts';
import { freePorts } from './ports.ts';
import type { ServerPlan } from './server-plan.ts';
import type { State } from './state.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/**
 * Maximum number of connections of OpenFGA to PostgreSQL. Each process of authz makes fewer concurrent calls to
 * OpenFGA (authorization.md, read path).
 */
const OPENFGA_POOL_SIZE = 20;

export interface OpenfgaAddress {
  readonly kind: 'address';
  readonly access: OpenfgaAccess;
}

interface OpenfgaPlanOptions {
  readonly source: ServerBinary;
  readonly state: State;
  /** `postgres://` URL with OpenFGA's own database and role. Both must exist when the plan is prepared. */
  readonly datastoreUrl: string;
}

export interface OpenfgaPlan extends ServerPlan {
  readonly access: OpenfgaAccess;
}

const MIGRATE_MILLISECONDS = 120_000;

/** Returns a plan for an OpenFGA server that uses the database at `datastoreUrl`. `prepare` runs `openfga migrate`. */
export async function planOpenfga({ source, state, datastoreUrl }: OpenfgaPlanOptions): Promise<OpenfgaPlan> {
  const ports = await freePorts(2);
  const presharedKey = await state.secret('openfga-preshared-key', { renewable: true });
  const [httpAddress, grpcAddress] = ports.map((port) => `127.0.0.1:${port}`) as [string, string];
  const access: OpenfgaAccess = { url: `http://${httpAddress}`, presharedKey };
  const pidFile = state.pidFile('openfga');
  return {
    name: 'openfga',
    command: source.file,
    args: ['run'],
    // Settings are passed in the environment, because every user of the machine can read the arguments of a process.
    environment: {
      PATH: '/usr/bin:/bin',
      ...asEnvironment(openfgaConfiguration({ httpAddress, grpcAddress, datastoreUrl, presharedKey })),
    },
    workingDirectory: state.openfga,
    pidFile,
    ports,
    portFixed: false,
    stopSignal: 'SIGTERM',
    graceMilliseconds: 4_000,
    readyMilliseconds: 30_000,
    access,
    async prepare(signal) {
      await stopLeftover(pidFile);
      await migrate(source.file, state.openfga, datastoreUrl, signal);
    },
    ready: (signal) => until((attempt) => probeOpenfga(access, attempt), signal),
    // The API has no path `/`, so OpenFGA answers without its database. Any answer is a sign of life.
    alive: async (signal) => void (await (await fetch(access.url, { signal })).arrayBuffer()),
  };
}

interface OpenfgaLayout {
  /** `host:port` of the HTTP API. */
  readonly httpAddress: string;
  readonly grpcAddress: string;
  /** Undefined if OpenFGA gets its datastore settings in another way. */
  readonly datastoreUrl: string | undefined;
  readonly presharedKey: string;
}

interface Configuration {
  readonly [key: string]: string | number | boolean | readonly string[] | Configuration;
}

/** The configuration of an OpenFGA, in the form of its `config.yaml`. */
export function openfgaConfiguration(
  { httpAddress, grpcAddress, datastoreUrl, presharedKey }: OpenfgaLayout,
): Configuration {
  return {
    ...(datastoreUrl !== undefined && { datastore: {
      engine: 'postgres', uri: datastoreUrl, maxOpenConns: OPENFGA_POOL_SIZE, maxIdleConns: OPENFGA_POOL_SIZE,
    } }),
    authn: { method: 'preshared', preshared: { keys: [presharedKey] } },
    http: { addr: httpAddress },
    grpc: { addr: grpcAddress },
    // authz waits at most 1 s for an answer (authorization.md, read path). A longer request is of no use to authz.
    requestTimeout: '2s',
    shutdownTimeout: '3s',
    // The platform caches answers by revision (authorization invariant 4). The engine would cache them by time.
    checkQueryCache: { enabled: false },
    checkIteratorCache: { enabled: false },
    listObjectsIteratorCache: { enabled: false },
    cacheController: { enabled: false },
    sharedIterator: { enabled: false },
    playground: { enabled: false },
    metrics: { enabled: false },
    profiler: { enabled: false },
    trace: { enabled: false },
    // At levels below `warn`, OpenFGA logs every request.
    log: { format: 'json', level: 'warn' },
  };
}

/** Returns the environment variables: `checkQueryCache.enabled` becomes `OPENFGA_CHECK_QUERY_CACHE_ENABLED`. */
function asEnvironment(configuration: Configuration, prefix = 'OPENFGA'): Record<string, string> {
  return Object.assign({}, ...Object.entries(configuration).map(([key, value]) => {
    const name = `${prefix}_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
    if (typeof value === 'object' && !Array.isArray(value)) return asEnvironment(value as Configuration, name);
    return { [name]: String(value) };
  })) as Record<string, string>;
}

async function migrate(
  command: string, folder: string, datastoreUrl: string, signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await run(command, ['migrate'], {
      cwd: folder,
      env: {
        PATH: '/usr/bin:/bin', OPENFGA_TIMEOUT: '30s',
        OPENFGA_DATASTORE_ENGINE: 'postgres', OPENFGA_DATASTORE_URI: datastoreUrl,
      },
      timeout: MIGRATE_MILLISECONDS,
      signal,
    });
  } catch (error) {
    signal?.throwIfAborted();
    const { stderr, message } = error as Error & { stderr?: string };
    const log = (stderr || message).trim().split('\n').slice(-3).join(' | ').replaceAll(datastoreUrl, '<datastore>');
    const cure = 'Check that the database exists, and that no later version of OpenFGA has migrated it.';
    throw new BackingFault('START_FAILED', `OpenFGA could not migrate its database: ${log}`, cure, { cause: error });
  }
}
