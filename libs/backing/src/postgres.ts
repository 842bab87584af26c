import type { ServerBinary } from './find-binary.ts';
import type { ServerPlan } from './server-plan.ts';
import type { State } from './state.ts';

/** A PostgreSQL that somebody else runs. `url` names a role that may create roles and databases. */
export interface PostgresAddress {
  readonly kind: 'address';
  readonly url: string;
}

export interface PostgresPlanOptions {
  readonly source: ServerBinary;
  readonly state: State;
  /** Fixed port; default a free one. */
  readonly port?: number;
  /** Default 200. */
  readonly maxConnections?: number;
  /** For tests: no fsync, no synchronous commit. Survives a kill of the server, not of the machine. Default false. */
  readonly volatile?: boolean;
}

export interface PostgresPlan extends ServerPlan {
  /** `postgres://postgres:<generated>@127.0.0.1:<port>/postgres`. Holds a secret. */
  readonly superuserUrl: string;
  /** `postgres://127.0.0.1:<port>`, fit to be shown. */
  readonly publicUrl: string;
  readonly dataDirectory: string;
}

/** Plans a PostgreSQL on this state. First start: initdb (UTF-8, C.UTF-8 of the builtin provider, scram-sha-256). */
export declare function planPostgres(options: PostgresPlanOptions): Promise<PostgresPlan>;

/**
 * Asks a PostgreSQL once whether it takes connections (as `pg_isready` does: up to the request for a password).
 * @throws BackingFault NOT_READY
 */
export declare function probePostgres(url: string, signal: AbortSignal): Promise<void>;
