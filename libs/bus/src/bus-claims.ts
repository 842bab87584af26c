/** The keys and the JWT of an operator or of an account. */
export interface Issuer {
  readonly publicKey: string;
  /** `SO…` or `SA…`. Secret. */
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

/** A subject of another account: this account sends requests to a service, and receives the messages of a stream. */
export interface BusImport {
  readonly kind: Crossing;
  readonly name: string;
  /** Public key of the account that exports the subject. */
  readonly account: string;
  readonly subject: string;
  /** The subject in this account; default: `subject`. `$1` stands for the first wildcard of `subject`. */
  readonly localSubject?: string;
  readonly activation?: string;
}

export interface AccountClaims {
  readonly name: string;
  /** Whether the account may use JetStream. Must be false for the system account. */
  readonly jetstream: boolean;
  /** Unix second by public key of a user; `*` means all users. JWTs that were issued up to this second are void. */
  readonly revocations?: Readonly<Record<string, number>>;
  /** Further public keys (`A…`) that may sign users. If a key is removed, its users are disconnected. */
  readonly signingKeys?: readonly string[];
  readonly exports?: readonly BusExport[];
  readonly imports?: readonly BusImport[];
  /** Maximum number of connections. If set, leaf nodes are prohibited. Default: no limit; leaf nodes are permitted. */
  readonly connections?: number;
  /** Notes for readers of the JWT, in lower case. */
  readonly tags?: readonly string[];
}

export interface UserClaims {
  readonly name: string;
  /** Subjects to which the user may publish and subscribe. Undefined permits all subjects; an empty list, none. */
  readonly publish?: readonly string[];
  readonly subscribe?: readonly string[];
  /** Maximum subscriptions of one connection; default no limit. */
  readonly subscriptions?: number;
  /** Unix second at which the credentials end; default never. */
  readonly expires?: number;
  /** Public key of the account. Required if a signing key of the account signs the user. */
  readonly account?: string;
}
