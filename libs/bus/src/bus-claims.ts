/** The keys and the JWT of a NATS operator or of a NATS account. */
export interface Issuer {
  readonly publicKey: string;
  /** `SO…` for an operator, `SA…` for an account. Secret. */
  readonly seed: string;
  readonly jwt: string;
}

export interface BusUser {
  /** `U…`. Revocations name the user by this key. */
  readonly publicKey: string;
  /** The text of a `.creds` file: JWT and seed. Secret. */
  readonly credentials: string;
}

/** Kind of the traffic between two accounts: requests with their answers (service), or messages only (stream). */
type Crossing = 'service' | 'stream';

export interface BusExport {
  readonly kind: Crossing;
  readonly name: string;
  readonly subject: string;
  /** Whether only accounts with an activation ({@link signActivation}) may import the subject. */
  readonly activated: boolean;
}

/**
 * A subject that an account imports from another account. The importing account sends requests to a service, or
 * receives messages of a stream.
 */
export interface BusImport {
  readonly kind: Crossing;
  readonly name: string;
  /** Public key of the account that exports the subject. */
  readonly account: string;
  readonly subject: string;
  /**
   * The subject in the importing account; default: `subject`. `$1` stands for the token at the first wildcard of
   * `subject`, `$2` for the token at the second.
   */
  readonly localSubject?: string;
  readonly activation?: string;
}

export interface AccountClaims {
  readonly name: string;
  /** Whether the account may use JetStream. Must be false for the system account. */
  readonly jetstream: boolean;
  /**
   * Revocations of users. A key is the public key of a user, or `*` for all users. The value is a Unix time in seconds.
   * Servers refuse a JWT of the user that was issued at this time or earlier.
   */
  readonly revocations?: Readonly<Record<string, number>>;
  /**
   * Public keys (`A…`) of further key pairs that may sign users of the account. If a key is removed, servers disconnect
   * the users that it signed.
   */
  readonly signingKeys?: readonly string[];
  readonly exports?: readonly BusExport[];
  readonly imports?: readonly BusImport[];
  /** Maximum number of connections. If set, leaf nodes are prohibited. Default: no limit; leaf nodes are permitted. */
  readonly connections?: number;
  /** Free texts in the JWT, such as its revision. They must be in lower case. */
  readonly tags?: readonly string[];
}

export interface UserClaims {
  readonly name: string;
  /** Subjects to which the user may publish. Undefined permits all subjects. An empty list permits no subject. */
  readonly publish?: readonly string[];
  /** Subjects to which the user may subscribe. Undefined permits all subjects. An empty list permits no subject. */
  readonly subscribe?: readonly string[];
  /** Maximum number of subscriptions of one connection; default: no limit. */
  readonly subscriptions?: number;
  /** Unix time in seconds at which the credentials expire; default: never. */
  readonly expires?: number;
  /** Public key of the account. Required if a signing key of the account signs the user. */
  readonly account?: string;
}
