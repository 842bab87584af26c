import { createHmac } from 'node:crypto';
import { type Queryable, sql } from '@platform/postgres';
import type { Secret } from '@platform/service';
import { laterClock } from '../standing/clock.ts';

export type CodeKind = 'link' | 'mail' | 'sign-up' | 'invitation';

/** What a stored code is for. The code works once. */
interface TakenCode {
  /** The account that the code signs in. */
  readonly accountId: number | null;
  /** The sign-in or sign-up request whose mail contains the code. */
  readonly requestId: number | null;
  /** The invitation that the code accepts. */
  readonly invitationId: number | null;
}

interface NewCode extends Partial<TakenCode> {
  readonly kind: CodeKind;
  readonly hash: Buffer;
  readonly seconds: number;
}

/** How long a code of each kind works, in seconds (open-points 18.3). */
export const codeSeconds = { 'link': 86_400, 'mail': 900, 'sign-up': 3_600, 'invitation': 7 * 86_400 } as const;

/**
 * Returns the keyed hash of a code. The hash includes the kind, so a code works only for its own kind.
 * @param browser result of {@link browserHash}; if given, the code works only in this browser
 */
export function codeHash(key: Secret, kind: CodeKind, code: string, browser?: Buffer): Buffer {
  const where = browser === undefined ? '' : `/${browser.toString('hex')}`;
  return createHmac('sha256', key.reveal()).update(`code/${kind}${where}/${code}`).digest();
}

/** Returns the keyed hash of the random name of a browser. Only the hash is stored. */
export function browserHash(key: Secret, browser: string): Buffer {
  return createHmac('sha256', key.reveal()).update(`browser/${browser}`).digest();
}

export async function insertCode(
  queryable: Queryable, { kind, hash, accountId = null, requestId = null, invitationId = null, seconds }: NewCode,
): Promise<void> {
  await queryable.execute(sql`
    insert into sign_in_code (kind, hash, account_id, request_id, invitation_id, expires_at)
    values (
      ${kind}, ${hash}::bytea, ${accountId}::bigint, ${requestId}::bigint, ${invitationId}::bigint,
      now() + ${seconds}::double precision * interval '1 s'
    )`);
}

export async function deleteCodesBefore(queryable: Queryable, invitationId: number, madeAt: string): Promise<void> {
  await queryable.execute(sql`
    delete from sign_in_code where invitation_id = ${invitationId} and created_at < ${madeAt}::timestamptz`);
}

/**
 * Deletes and returns a code. Of several concurrent callers, one gets it. Undefined if the code is unknown or expired.
 */
export function takeCode(queryable: Queryable, kind: CodeKind, hash: Buffer): Promise<TakenCode | undefined> {
  return queryable.maybeOne(sql<TakenCode>`
    delete from sign_in_code where hash = ${hash}::bytea and kind = ${kind} and expires_at > ${laterClock()}
    returning account_id as "accountId", request_id as "requestId", invitation_id as "invitationId"`);
}

/** Deletes all codes of a request and account. There are several if the mail job ran more than once. */
export async function endOtherCodes(queryable: Queryable, { accountId, requestId }: TakenCode): Promise<void> {
  await queryable.execute(sql`
    delete from sign_in_code where request_id = ${requestId} and account_id is not distinct from ${accountId}::bigint`);
}

/** Returns a code without deleting it. Undefined if the code is unknown or expired. */
export function findCode(queryable: Queryable, kind: CodeKind, hash: Buffer): Promise<TakenCode | undefined> {
  return queryable.maybeOne(sql<TakenCode>`
    select account_id as "accountId", request_id as "requestId", invitation_id as "invitationId"
      from sign_in_code where hash = ${hash}::bytea and kind = ${kind} and expires_at > ${laterClock()}`);
}
