import { decode, type Account, type User } from '@nats-io/jwt';
import type { AccountClaims } from './bus-claims.ts';

/**
 * Returns the claims of an account's JWT, without the imports. `exports` contains only the subjects of the exports.
 * Checks the signature.
 * @throws Error if the JWT is invalid
 */
export function readAccount(
  jwt: string,
): Omit<AccountClaims, 'exports'> & { readonly publicKey: string; readonly exports: readonly string[] } {
  const claims = decode<Account>(jwt);
  if (claims.nats.type !== 'account') throw new Error('Not the JWT of an account.');
  const connections = claims.nats.limits?.conn ?? -1;
  return {
    publicKey: claims.sub,
    name: claims.name,
    jetstream: (claims.nats.limits?.streams ?? 0) !== 0,
    exports: (claims.nats.exports ?? []).map(({ subject }) => subject!),
    revocations: claims.nats.revocations ?? {},
    signingKeys: (claims.nats.signing_keys ?? []).map((key) => (typeof key === 'string' ? key : key.key)),
    ...(connections < 0 ? {} : { connections }),
    tags: claims.nats.tags ?? [],
  };
}

/**
 * Reads an account's JWT. Returns the name and the tags of the account, and the public keys of the accounts from which
 * the account imports. Does not check the signature, because the check is slow. Use this function only for a JWT that a
 * server has returned.
 * @throws Error if the text is not a JWT
 */
export function notesOf(
  jwt: string,
): { readonly name: string; readonly tags: readonly string[]; readonly importsFrom: readonly string[] } {
  const claims = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString();
  const { name = '', nats } = JSON.parse(claims) as { name?: string; nats: Partial<Account> };
  return { name, tags: nats.tags ?? [], importsFrom: (nats.imports ?? []).map(({ account }) => account!) };
}

/** Returns the public key of the account to which credentials belong. @throws Error if the credentials are invalid */
export function accountOf(credentials: string): string {
  const { nats, iss } = readUser(credentials);
  return nats.issuer_account ?? iss;
}

/**
 * Returns the subjects to which credentials may publish. Returns an empty list if the credentials do not list permitted
 * subjects.
 * @throws Error if the credentials are invalid
 */
export function permittedSubjects(credentials: string): readonly string[] {
  return readUser(credentials).nats.pub?.allow ?? [];
}

function readUser(credentials: string): ReturnType<typeof decode<User>> {
  const [, jwt] = /BEGIN NATS USER JWT-+\s+(\S+)/.exec(credentials) ?? [];
  if (jwt === undefined) throw new Error('Not a valid .creds file.');
  return decode<User>(jwt);
}
