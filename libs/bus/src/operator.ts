/**
 * Keys and JWTs of NATS in operator mode. An operator signs accounts, and an account signs its users. Servers check the
 * signatures, so credentials are created without a request to a server. Seeds and credentials are secrets.
 */
import {
  decode, encodeAccount, encodeActivation, encodeGeneric, encodeOperator, encodeUser, fmtCreds,
  type Account, type Export, type Import, type User,
} from '@nats-io/jwt';
import { fromPublic, type KeyPair } from '@nats-io/nkeys';
import type { AccountClaims, BusExport, BusImport, BusUser, Issuer, UserClaims } from './bus-claims.ts';
import { keysOfSeed, newKeys } from './keys.ts';

export async function createOperator(name: string, systemAccount: string): Promise<Issuer> {
  const keys = newKeys('operator');
  const jwt = await encodeOperator(name, keys, { system_account: systemAccount });
  return { publicKey: keys.getPublicKey(), seed: seedText(keys), jwt };
}

/** Creates the key pair of a new account. Servers accept the account only with a JWT from {@link signAccount}. */
export function createAccountKeys(): Omit<Issuer, 'jwt'> {
  const keys = newKeys('account');
  return { publicKey: keys.getPublicKey(), seed: seedText(keys) };
}

export async function createAccount(operatorSeed: string, claims: AccountClaims): Promise<Issuer> {
  const keys = createAccountKeys();
  return { ...keys, jwt: await signAccount(operatorSeed, keys.publicKey, claims) };
}

/**
 * Returns a new JWT of an account. On a server, the new JWT replaces the older JWT completely, including the older
 * revocations.
 */
export async function signAccount(operatorSeed: string, publicKey: string, claims: AccountClaims): Promise<string> {
  const account: Partial<Account> = {
    // An absent limit permits nothing; -1 means no limit.
    limits: {
      subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true,
      conn: claims.connections ?? -1,
      leaf: claims.connections === undefined ? -1 : 0,
      disallow_bearer: true,
      ...(claims.jetstream ? { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 } : {}),
    },
    revocations: { ...claims.revocations },
    signing_keys: [...(claims.signingKeys ?? [])],
    exports: (claims.exports ?? []).map(toExport),
    imports: (claims.imports ?? []).map(toImport),
    tags: [...(claims.tags ?? [])],
  };
  return await encodeAccount(claims.name, publicKey, account, { signer: keysOfSeed(operatorSeed) });
}

/**
 * Returns a new JWT of the account, with the wanted exports added. Returns undefined if no change is needed. A new
 * export replaces an export with the same name, or with the same kind and subject. Other settings of the account stay,
 * including settings that this function does not know.
 * @throws Error if the JWT is invalid or belongs to another account
 */
export async function addExports(
  operatorSeed: string, publicKey: string, jwt: string, wanted: readonly BusExport[],
): Promise<string | undefined> {
  const { name, sub, nats } = decode<Account>(jwt);
  if (sub !== publicKey) throw new Error(`The JWT does not belong to the account ${publicKey}.`);
  const had = nats.exports ?? [];
  const asked = wanted.map(toExport);
  const isSame = (one: Export, other: Export): boolean =>
    one.name === other.name && one.type === other.type && one.subject === other.subject
    && (one.token_req ?? false) === (other.token_req ?? false);
  const isReplaced = (one: Export): boolean => !asked.some((other) => isSame(one, other))
    && asked.some(({ name: called, type, subject }) =>
      one.name === called || (one.type === type && one.subject === subject));
  const missing = asked.filter((one) => !had.some((other) => isSame(one, other)));
  if (missing.length === 0 && !had.some(isReplaced)) return undefined;
  const extended = { ...nats, exports: [...had.filter((one) => !isReplaced(one)), ...missing] };
  return await encodeAccount(name, sub, extended, { signer: keysOfSeed(operatorSeed) });
}

/**
 * Returns a signed activation, which permits the account `importer` to import `subject` from the account `exporter`.
 * @param exporterSeed seed of the exporting account, or of one of its signing keys
 */
export async function signActivation(
  exporterSeed: string, exporter: string, importer: string, { kind, subject }: Pick<BusImport, 'kind' | 'subject'>,
): Promise<string> {
  const signer = keysOfSeed(exporterSeed);
  const importing = fromPublic(importer);
  return signer.getPublicKey() === exporter
    ? await encodeActivation(subject, importing, signer, kind, { subject })
    : await encodeActivation(subject, importing, fromPublic(exporter), kind, { subject }, { signer });
}

/** @param seed seed of the account, or of one of its signing keys. For a signing key, `claims.account` is required */
export async function createUser(seed: string, claims: UserClaims): Promise<BusUser> {
  const keys = newKeys('user');
  const user: Partial<User> = {
    ...(claims.publish === undefined ? {} : { pub: permission(claims.publish) }),
    ...(claims.subscribe === undefined ? {} : { sub: permission(claims.subscribe) }),
    ...(claims.subscriptions === undefined ? {} : { subs: claims.subscriptions }),
  };
  const signer = keysOfSeed(seed);
  const options = claims.expires === undefined ? {} : { exp: claims.expires };
  const jwt = claims.account === undefined
    ? await encodeUser(claims.name, keys, signer, user, options)
    : await encodeUser(claims.name, keys, fromPublic(claims.account), user, { ...options, signer });
  return { publicKey: keys.getPublicKey(), credentials: new TextDecoder().decode(fmtCreds(jwt, keys)) };
}

/** Servers read an empty list of permitted subjects as "all subjects", so an empty list denies all subjects here. */
function permission(allow: readonly string[]): NonNullable<User['pub']> {
  return allow.length === 0 ? { deny: ['>'] } : { allow: [...allow] };
}

/**
 * Creates the user of one service in the platform's account. The user may use the given subjects, and may subscribe to
 * the reply subjects of its own service. So a service cannot read the answers to another service.
 * @param seed seed of the account, or of one of its signing keys
 * @param account public key of the account
 */
export function createServiceUser(
  seed: string, account: string, name: string,
  { publish, subscribe }: Pick<Required<UserClaims>, 'publish' | 'subscribe'>,
): Promise<BusUser> {
  return createUser(seed, { name, account, publish, subscribe: [...subscribe, `${inboxPrefixOf(name)}.>`] });
}

/** Returns the prefix of the subjects for answers to a service: the `inboxPrefix` of its {@link BusLogin}. */
export function inboxPrefixOf(service: string): string {
  return `_INBOX.${service}`;
}

/** Returns the signed request to remove accounts, in the form that servers accept from an operator. */
export async function signRemoval(operatorSeed: string, publicKeys: readonly string[]): Promise<string> {
  return await encodeGeneric('remove accounts', keysOfSeed(operatorSeed), 'generic', { accounts: [...publicKeys] });
}

/** Returns the public key of a seed. @throws Error if the seed is invalid */
export function publicKeyOf(seed: string): string {
  return keysOfSeed(seed).getPublicKey();
}

function toExport({ kind, name, subject, activated }: BusExport): Export {
  return { type: kind, name, subject, token_req: activated };
}

function toImport({ kind, name, account, subject, localSubject, activation }: BusImport): Import {
  return {
    type: kind, name, account, subject,
    ...(localSubject === undefined ? {} : { local_subject: localSubject }),
    ...(activation === undefined ? {} : { token: activation }),
  };
}

function seedText(keys: KeyPair): string {
  return new TextDecoder().decode(keys.getSeed());
}
