import type { NatsAccess, OpenfgaAccess } from '@platform/backing';
import type { LabCluster } from '@platform/lab';

/** The requests to a run's keeper, as JSON over HTTP on a Unix socket that only this user can open. */
export type KeeperRequest =
  | { ask: 'postgres' } | { ask: 'nats' } | { ask: 'openfga' }
  // A file that asks for the lab leaves it once for each request.
  | { ask: 'lab' } | { ask: 'leave-lab' }
  | { ask: 'host'; worker: string } | { ask: 'lone-host' }
  | { ask: 'database'; service: string; migrations: string }
  | { ask: 'drop'; database: string };

/** The answer to each request. */
export interface KeeperAnswers {
  postgres: { superuserUrl: string };
  nats: NatsAccess;
  openfga: OpenfgaAccess;
  lab: SharedLab;
  'leave-lab': { left: true };
  host: SharedHost;
  'lone-host': SharedHost;
  database: ClonedDatabase;
  drop: { dropped: string };
}

/** The Kubernetes lab of a run. */
export interface SharedLab {
  readonly hub: LabCluster;
  readonly spokes: readonly LabCluster[];
}

/** A process that holds all services of one worker's spec files, or one service alone. */
export interface SharedHost {
  /** Path of its Unix socket (`HostRequest`). */
  readonly socket: string;
  readonly pid: number;
}

/** A database cloned from the migrated template of one service. */
export interface ClonedDatabase {
  /** Name of the database. */
  name: string;
  /** `postgres://` URL with the service's role. */
  url: string;
  /** `postgres://` URL of the same database with a superuser. */
  superuserUrl: string;
  /** The service's schema. */
  schema: string;
}

/** Why the keeper could not answer; `reason` is a `BackingReason` or `FAILED`. */
export type KeeperRefusal = Readonly<Record<'reason' | 'message', string>>;

/** The message of the keeper to the process that started it, over the IPC channel. */
export type KeeperMessage =
  | { kind: 'report'; line: string }
  | { kind: 'ready'; socket: string }
  | { kind: 'failed'; refusal: KeeperRefusal };

/**
 * Whether PLATFORM_TEST_SERVERS says that the servers of the run are in containers. If it is unset, they are programs.
 * @throws RangeError
 */
export function serversAreInContainers(): boolean {
  const where = process.env['PLATFORM_TEST_SERVERS'];
  if (where === undefined || where === 'containers') return where === 'containers';
  throw new RangeError(`PLATFORM_TEST_SERVERS is ${where}; it can be \`containers\``);
}

/** Name of the variable with the path of the keeper's socket. */
export const keeperVariable = 'PLATFORM_TEST_KEEPER';
