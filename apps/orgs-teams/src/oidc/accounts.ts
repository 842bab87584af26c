import { randomBytes } from 'node:crypto';
import type { OidcIdentity } from '@platform/oidc';
import { type Queryable, sql } from '@platform/postgres';
import { Fault } from '@platform/faults';
import type { OidcProviderSetting } from '@platform/service';
import { emailProblem, slugProblem } from '@platform/values';
import { insertOrdinaryPerson } from '../mail-links/follow.ts';
import { findHolders, lockAddress, refuseUnlessOpen } from '../mail-links/requests.ts';
import { isOver } from '../standing/clock.ts';
import type { Work } from '../write/write.ts';

/**
 * Returns the id of the account that is bound to a subject; undefined if there is none. A subject is a user of a
 * provider.
 */
export async function findBound(
  queryable: Queryable, { issuer, subject }: Pick<OidcIdentity, 'issuer' | 'subject'>,
): Promise<number | undefined> {
  const row = await queryable.maybeOne(sql<{ accountId: number }>`
    select account_id as "accountId" from identity where issuer = ${issuer} and subject = ${subject}`);
  return row?.accountId;
}

/**
 * Whether this token of this account is valid and has the scope `all`, and the account may sign in. Binding a provider
 * requires this, because sessions through the provider have the scope `all`.
 */
export async function mayDoEverything(
  queryable: Queryable, { accountId, tokenId }: { readonly accountId: number; readonly tokenId: number },
): Promise<boolean> {
  const { may } = await queryable.one(sql<{ may: boolean }>`
    select exists (
      select from access_token token join account on account.id = token.account_id
       where token.id = ${tokenId} and token.account_id = ${accountId} and 'all' = any (token.scopes)
         and not ${isOver(sql`token`)} and account.active and not account.prohibit_login
    ) as may`);
  return may;
}

/**
 * Returns the id of the account with this address; undefined if there is none.
 * @throws Fault FORBIDDEN if several accounts have the address, or if a first sign-in must not bind this account
 */
export async function findBindable(
  queryable: Queryable, { email }: Pick<OidcIdentity, 'email'>,
): Promise<number | undefined> {
  const [holder, another] = await findHolders(queryable, email);
  if (holder === undefined) return undefined;
  if (another !== undefined || !holder.isUsable || !holder.isConfirmed || holder.isAdmin) throw addressTaken();
  return holder.id;
}

function addressTaken(): Fault {
  return new Fault('FORBIDDEN', 'this address already has an account: sign in first, then bind the provider');
}

/** @throws Fault FORBIDDEN if the address is malformed, or if it is not verified and `trustEmail` is not set */
export function refuseUnverified({ email, emailVerified }: OidcIdentity, { trustEmail }: OidcProviderSetting): void {
  if (emailProblem(email) !== undefined || !(emailVerified || trustEmail)) {
    throw new Fault('FORBIDDEN', 'the provider did not return a valid and verified e-mail address');
  }
}

/** Binds a subject to an account. @throws Fault FORBIDDEN if either has another binding at this issuer */
export async function bind(
  work: Work, { issuer, subject }: Pick<OidcIdentity, 'issuer' | 'subject'>, accountId: number,
): Promise<void> {
  const added = await work.execute(sql`
    insert into identity (issuer, subject, account_id) values (${issuer}, ${subject}, ${accountId})
    on conflict do nothing`);
  if (added > 0) {
    const object = `user:${accountId}`;
    work.audit({ action: 'user.bind_identity', object, subjectIds: [accountId], details: { issuer } });
  } else if ((await findBound(work, { issuer, subject })) !== accountId) {
    const message = 'this account is bound to another user of the provider, '
      + 'or this user of the provider is bound to another account';
    throw new Fault('FORBIDDEN', message);
  }
}

/** Creates an account for a first sign-in under the rules of sign-up (open-points 18.4). Returns the id. */
export async function makeAccount(work: Work, identity: OidcIdentity): Promise<number> {
  await refuseUnlessOpen(work, identity.email);
  await lockAddress(work, identity.email);
  // Another request may have created an account with this address since the look-up.
  if ((await findHolders(work, identity.email)).length > 0) throw addressTaken();
  const name = await freeName(work, identity);
  const fullName = [...identity.name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').toWellFormed()].slice(0, 100).join('');
  return (await insertOrdinaryPerson(work, { name, email: identity.email, fullName })).id;
}

/** Number of candidate names for each word. For the word `ann`, they are `ann`, `ann-2`, `ann-3` and so on. */
const mostPerWord = 20;

/** Returns an unused account name. Prefers a name made from the user name or address from the provider. */
async function freeName(
  work: Work, { preferredUsername, email }: Pick<OidcIdentity, 'preferredUsername' | 'email'>,
): Promise<string> {
  const local = (text: string) => text.split('@')[0]!.normalize('NFKD').replaceAll(/[^A-Za-z0-9._-]+/g, '')
    .replaceAll(/[._-]{2,}/g, '-').replaceAll(/^[._-]+|[._-]+$/g, '').slice(0, 32).replace(/[._-]+$/, '');
  const words = [local(preferredUsername), local(email), 'person'].filter((word) => slugProblem(word) === undefined);
  const candidates = [
    ...words.flatMap((word) => Array.from({ length: mostPerWord }, (_, n) => (n === 0 ? word : `${word}-${n + 1}`))),
    // A random name, in case all others are taken.
    `person-${randomBytes(8).toString('hex')}`,
  ].filter((name) => slugProblem(name) === undefined);
  const { name } = await work.one(sql<{ name: string }>`
    select candidate.name
      from unnest(${candidates}::text[]) with ordinality as candidate (name, place)
     where not exists (
       select from account where lower(account.name collate "C") = lower(candidate.name collate "C")
     )
     order by candidate.place limit 1`);
  return name;
}
