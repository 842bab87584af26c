import type { NatsAccess, OpenfgaAccess } from '@platform/backing';
import type { LabCluster } from '@platform/lab';

/** What a run's keeper may be asked, as JSON over HTTP on a Unix socket only this user can reach. */
export type KeeperRequest =
  | { ask: 'postgres' }
  | { ask: 'nats' }
  | { ask: 'openfga' }
  | { ask: 'lab' }
  | { ask: 'host'; worker: string }
  | { ask: 'database'; service: string; migrations: string }
  | { ask: 'drop'; database: string };

/** The answer to each. */
export interface KeeperAnswers {
  postgres: { superuserUrl: string };
  nats: NatsAccess;
  openfga: OpenfgaAccess;
  lab: SharedLab;
  host: SharedHost;
  database: ClonedDatabase;
  drop: { dropped: string };
}

/** The Kubernetes lab of a run. */
export interface SharedLab {
  readonly hub: LabCluster;
  readonly spokes: readonly LabCluster[];
}

/** The process that holds the services of a worker's spec files. */
export interface SharedHost {
  /** Path of its Unix socket (`HostRequest`). */
  readonly socket: string;
  readonly pid: number;
}

/** A database cloned from the migrated template of one service. */
export interface ClonedDatabase {
  /** Name of the database. */
  name: string;
  /** `postgres://` URL as the service's own role. */
  url: string;
  /** `postgres://` URL of the same database as a superuser. */
  superuserUrl: string;
  /** The service's schema. */
  schema: string;
}

/** Why the keeper could not answer; `reason` is a `BackingReason` or `FAILED`. */
export interface KeeperRefusal {
  reason: string;
  message: string;
}

/** What the keeper sends to the process that started it, over the IPC channel. */
export type KeeperMessage =
  | { kind: 'report'; line: string }
  | { kind: 'ready'; socket: string }
  | { kind: 'failed'; refusal: KeeperRefusal };

/** Name of the variable that says where the keeper listens. */
export const keeperVariable = 'PLATFORM_TEST_KEEPER';
