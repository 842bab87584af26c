import type { ServerBinary } from './find-binary.ts';
import type { ServerPlan } from './server-plan.ts';
import type { State } from './state.ts';

/** What the platform needs to use a NATS in operator mode, and to admit and expel others. All but `url` are secrets. */
export interface NatsAccess {
  /** `nats://127.0.0.1:<port>` */
  readonly url: string;
  /** Credentials (the text of a `.creds` file) of the platform's own user. */
  readonly credentials: string;
  /** Credentials of a user of the system account; they may push account JWTs. */
  readonly systemCredentials: string;
  /** Seed (`SA…`) of the platform's account: signs users. */
  readonly accountSeed: string;
  /** Seed (`SO…`) of the operator, or of one of its signing keys: signs the account's JWT, with its revocations. */
  readonly operatorSeed: string;
}

/** A NATS that somebody else runs. */
export interface NatsAddress {
  readonly kind: 'address';
  readonly access: NatsAccess;
}

export interface NatsPlanOptions {
  readonly source: ServerBinary;
  readonly state: State;
  /** Fixed port; default a free one. */
  readonly port?: number;
}

export interface NatsPlan extends ServerPlan {
  readonly access: NatsAccess;
}

/** Plans a NATS on this state. First start: operator, system account, platform account and their users are made. */
export declare function planNats(options: NatsPlanOptions): Promise<NatsPlan>;

/**
 * Connects once with the platform's credentials and asks JetStream for the account.
 * @throws BackingFault NOT_READY
 */
export declare function probeNats(access: NatsAccess, signal: AbortSignal): Promise<void>;
