import { Fault } from '@platform/faults';
import { type Queryable, sql } from '@platform/postgres';
import { normalDomain } from '@platform/values';

/** A request for a mail with a link, to sign in or to sign up (open-points 18.3, 18.4). */
export interface SignInRequest {
  readonly kind: 'mail' | 'sign-up';
  readonly email: string;
  /** Keyed hash of the random value that identifies the browser (`browserHash`). */
  readonly browser: Buffer;
  /** The name of the account to create; empty for a sign-in. */
  readonly username: string;
  readonly fullName: string;
}

const columns = sql`kind, email, browser, username, full_name as "fullName"`;

export async function insertRequest(
  queryable: Queryable, { kind, email, browser, username, fullName }: SignInRequest,
): Promise<number> {
  const { id } = await queryable.one(sql<{ id: number }>`
    insert into sign_in_request (kind, email, browser, username, full_name)
    values (${kind}, ${email}, ${browser}::bytea, ${username}, ${fullName}) returning id`);
  return id;
}

/** Refuses a sign-up that is not permitted (open-points 18.4). @throws Fault REGISTRATION_DISABLED, INVALID_DOMAIN */
export async function refuseUnlessOpen(queryable: Queryable, email: string): Promise<void> {
  const domain = normalDomain(email.slice(email.lastIndexOf('@') + 1)) ?? '';
  const { isDisabled, isAllowed } = await queryable.one(sql<{ isDisabled: boolean; isAllowed: boolean }>`
    select registration_disabled as "isDisabled",
           allowed_domains = '{}' or ${domain} = any (allowed_domains) as "isAllowed"
      from site_setting`);
  if (isDisabled) throw new Fault('REGISTRATION_DISABLED', 'sign-up is disabled; ask somebody to invite you');
  if (!isAllowed) throw new Fault('INVALID_DOMAIN', 'addresses of this domain cannot sign up here');
}

export async function readRequest(queryable: Queryable, id: number): Promise<SignInRequest> {
  return queryable.one(sql<SignInRequest>`select ${columns} from sign_in_request where id = ${id}`);
}

/** Maximum number of requests that are marked as mailed in an hour, per kind and address. */
const mostMails = 3;

/**
 * Marks a request as mailed, and returns it. Also returns a request that is already marked. Locks the address until the
 * transaction ends.
 * @returns undefined if there is no such request; `held back` if the request is not marked, because {@link mostMails}
 *   requests of the same kind and address were marked in the last hour
 */
export async function noteMail(queryable: Queryable, id: number): Promise<SignInRequest | 'held back' | undefined> {
  const request = await queryable.maybeOne(sql<SignInRequest>`select ${columns} from sign_in_request where id = ${id}`);
  if (request === undefined) return undefined;
  await lockAddress(queryable, request.email);
  const noted = await queryable.execute(sql`
    update sign_in_request set mailed_at = coalesce(mailed_at, now())
     where id = ${id} and (mailed_at is not null or ${mostMails} > (
       select count(*) from sign_in_request other
        where lower(other.email collate "C") = lower(${request.email} collate "C") and other.kind = ${request.kind}
          and other.mailed_at > now() - interval '1 hour'
     ))`);
  return noted > 0 ? request : 'held back';
}

/**
 * Locks an address until the transaction ends. To create an account only if no account has the address, take this lock
 * before you check the address.
 */
export async function lockAddress(queryable: Queryable, email: string): Promise<void> {
  await queryable.execute(sql`
    select from (select pg_advisory_xact_lock(
      hashtextextended('orgs-teams.address/' || lower(${email} collate "C"), 0)
    )) held`);
}

export interface AddressHolder {
  readonly id: number;
  readonly name: string;
  /** The address stored in the account. Mails are sent to it, not to the address that was typed. */
  readonly email: string;
  readonly isAdmin: boolean;
  /** Whether the user may sign in. */
  readonly isUsable: boolean;
  /** Whether the user has confirmed the address through a link in a mail. */
  readonly isConfirmed: boolean;
}

/** Maximum number of accounts that are looked up for an address. */
const mostHolders = 5;

/** Returns up to {@link mostHolders} users with this address, ignoring ASCII case. Users who may sign in come first. */
export function findHolders(queryable: Queryable, email: string): Promise<AddressHolder[]> {
  return queryable.query(sql<AddressHolder>`
    select id, name, email, is_admin as "isAdmin", active and not prohibit_login as "isUsable",
           lower(confirmed_email collate "C") = lower(email collate "C") as "isConfirmed"
      from account
     where kind = 'person' and email <> '' and lower(email collate "C") = lower(${email} collate "C")
     order by (active and not prohibit_login) desc, id limit ${mostHolders}`);
}

/** Marks the address of a user as confirmed. Returns false if no user has this id and address, ignoring ASCII case. */
export async function confirmAddress(queryable: Queryable, accountId: number, email: string): Promise<boolean> {
  const confirmed = await queryable.execute(sql`
    update account set confirmed_email = email
     where id = ${accountId} and kind = 'person' and email <> ''
       and lower(email collate "C") = lower(${email} collate "C")`);
  return confirmed > 0;
}
