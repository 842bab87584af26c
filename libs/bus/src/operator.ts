/**
 * Keys and JWTs of NATS in operator mode: an operator vouches for accounts, an account for its users. Servers know the
 * operator's public key and need nothing else to admit whom it vouches for, so credentials are made without asking one.
 * Seeds and credentials are secrets.
 */
import { decode, encodeAccount, encodeOperator, encodeUser, fmtCreds, type Account, type User } from '@nats-io/jwt';
import {
  createAccount as accountKeys,
  createOperator as operatorKeys,
  createUser as userKeys,
  fromSeed,
} from '@nats-io/nkeys';

/** An operator or an account: its public key (`O…`, `A…`), its seed (`SO…`, `SA…`) and the JWT that speaks for it. */
export interface Issuer {
  readonly publicKey: string;
  readonly seed: string;
  readonly jwt: string;
}

/** A user of an account. */
export interface BusUser {
  /** `U…`; names the user in revocations. */
  readonly publicKey: string;
  /** The text of a `.creds` file: JWT and seed. Secret. */
  readonly credentials: string;
}

/** User public key (or `*` for all) to the unix second up to which its JWTs are void. */
export type Revocations = Readonly<Record<string, number>>;

export interface AccountClaims {
  readonly name: string;
  /** Whether the account may use JetStream. The system account may not. */
  readonly jetstream: boolean;
  readonly revocations?: Revocations;
}

export interface UserClaims {
  readonly name: string;
  /** Subjects the user may publish to and subscribe to; absent means all. */
  readonly publish?: readonly string[];
  readonly subscribe?: readonly string[];
  /** Unix second at which the credentials end; default never. */
  readonly expires?: number;
}

/** Makes an operator that names its system account. */
export async function createOperator(name: string, systemAccount: string): Promise<Issuer> {
  const keys = operatorKeys();
  const jwt = await encodeOperator(name, keys, { system_account: systemAccount });
  return { publicKey: keys.getPublicKey(), seed: seedText(keys), jwt };
}

/** Key pair of an account that no operator has vouched for yet (`signAccount`). */
export function createAccountKeys(): Omit<Issuer, 'jwt'> {
  const keys = accountKeys();
  return { publicKey: keys.getPublicKey(), seed: seedText(keys) };
}

/** Makes an account the operator vouches for. */
export async function createAccount(operatorSeed: string, claims: AccountClaims): Promise<Issuer> {
  const keys = createAccountKeys();
  return { ...keys, jwt: await signAccount(operatorSeed, keys.publicKey, claims) };
}

/** The JWT of an account, to be kept by the servers; a newer one replaces it as a whole, revocations included. */
export async function signAccount(operatorSeed: string, publicKey: string, claims: AccountClaims): Promise<string> {
  const account: Partial<Account> = {
    // Absent limits mean none allowed, -1 means no limit.
    limits: {
      subs: -1,
      data: -1,
      payload: -1,
      imports: -1,
      exports: -1,
      wildcards: true,
      conn: -1,
      leaf: -1,
      disallow_bearer: true,
      ...(claims.jetstream ? { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 } : {}),
    },
    revocations: { ...claims.revocations },
  };
  return await encodeAccount(claims.name, publicKey, account, { signer: keysOf(operatorSeed) });
}

/** What an account's JWT says; its signature is checked. @throws Error when it is no JWT of an account */
export function readAccount(jwt: string): AccountClaims & { readonly publicKey: string } {
  const claims = decode<Account>(jwt);
  if (claims.nats.type !== 'account') throw new Error('Not the JWT of an account.');
  return {
    publicKey: claims.sub,
    name: claims.name,
    jetstream: (claims.nats.limits?.streams ?? 0) !== 0,
    revocations: claims.nats.revocations ?? {},
  };
}

/** Makes a user of an account. */
export async function createUser(accountSeed: string, claims: UserClaims): Promise<BusUser> {
  const keys = userKeys();
  const user: Partial<User> = {
    ...(claims.publish === undefined ? {} : { pub: { allow: [...claims.publish] } }),
    ...(claims.subscribe === undefined ? {} : { sub: { allow: [...claims.subscribe] } }),
  };
  const options = claims.expires === undefined ? {} : { exp: claims.expires };
  const jwt = await encodeUser(claims.name, keys, keysOf(accountSeed), user, options);
  return { publicKey: keys.getPublicKey(), credentials: new TextDecoder().decode(fmtCreds(jwt, keys)) };
}

/** The public key that belongs to a seed. @throws Error when it is no seed */
export function publicKeyOf(seed: string): string {
  return keysOf(seed).getPublicKey();
}

function keysOf(seed: string): ReturnType<typeof fromSeed> {
  return fromSeed(new TextEncoder().encode(seed.trim()));
}

function seedText(keys: ReturnType<typeof fromSeed>): string {
  return new TextDecoder().decode(keys.getSeed());
}
