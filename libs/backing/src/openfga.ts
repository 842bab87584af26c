import type { ServerBinary } from './find-binary.ts';
import type { ServerPlan } from './server-plan.ts';
import type { State } from './state.ts';

/** Connections OpenFGA holds to PostgreSQL at most; the limiter before it stays below (authorization R5). */
export const OPENFGA_POOL_SIZE = 20;

export interface OpenfgaAccess {
  /** Base URL of the HTTP API. */
  readonly url: string;
  readonly presharedKey: string;
}

/** An OpenFGA that somebody else runs. */
export interface OpenfgaAddress {
  readonly kind: 'address';
  readonly access: OpenfgaAccess;
}

export interface OpenfgaPlanOptions {
  readonly source: ServerBinary;
  readonly state: State;
  /** `postgres://` URL of a database and a role of its own; both must exist when the plan is prepared. */
  readonly datastoreUrl: string;
  /** Fixed port of the HTTP API; default a free one. */
  readonly port?: number;
  /** Fixed port of the gRPC API; default a free one. */
  readonly grpcPort?: number;
}

export interface OpenfgaPlan extends ServerPlan {
  readonly access: OpenfgaAccess;
  /** `127.0.0.1:<port>` of the gRPC API. */
  readonly grpcAddress: string;
}

/** Plans an OpenFGA on this database. Preparing it runs `openfga migrate`. */
export declare function planOpenfga(options: OpenfgaPlanOptions): Promise<OpenfgaPlan>;

/**
 * Lists stores once with the preshared key: the API, the key and the datastore all work.
 * @throws BackingFault NOT_READY
 */
export declare function probeOpenfga(access: OpenfgaAccess, signal: AbortSignal): Promise<void>;
