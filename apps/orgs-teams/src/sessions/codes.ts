import { createHmac } from 'node:crypto';
import { type Queryable, sql } from '@platform/postgres';
import type { Secret } from '@platform/service';
import { laterClock } from '../standing/clock.ts';

/** What a code of a link is for. */
export type CodeKind = 'link' | 'mail' | 'sign-up' | 'invitation';

/** A code to keep. */
export interface NewCode {
  readonly kind: CodeKind;
  readonly hash: Buffer;
  /** Whom it signs in. */
  readonly accountId?: number;
  /** The request by mail that it answers. */
  readonly requestId?: number;
  /** The invitation that it accepts. */
  readonly invitationId?: number;
  readonly seconds: number;
}

/** A code that was spent. */
export interface TakenCode {
  readonly accountId: number | null;
  readonly requestId: number | null;
  readonly invitationId: number | null;
}

/** How long links work, in seconds (open-points 18.3). */
export const codeSeconds = { 'link': 86_400, 'mail': 900, 'sign-up': 3_600, 'invitation': 7 * 86_400 } as const;

/**
 * The keyed hash of a code: one of another kind opens nothing.
 * @param browser see {@link browserHash}; where it is given, the code opens nothing in another browser, and such a
 *   look-up is one for a code that does not exist
 */
export function codeHash(key: Secret, kind: CodeKind, code: string, browser?: Buffer): Buffer {
  const where = browser === undefined ? '' : `/${browser.toString('hex')}`;
  return createHmac('sha256', key.reveal()).update(`code/${kind}${where}/${code}`).digest();
}

/** What is kept of the name that a browser has from us. */
export function browserHash(key: Secret, browser: string): Buffer {
  return createHmac('sha256', key.reveal()).update(`browser/${browser}`).digest();
}

export async function insertCode(
  queryable: Queryable, { kind, hash, accountId, requestId, invitationId, seconds }: NewCode,
): Promise<void> {
  await queryable.execute(sql`
    insert into sign_in_code (kind, hash, account_id, request_id, invitation_id, expires_at)
    values (
      ${kind}, ${hash}::bytea, ${accountId ?? null}::bigint, ${requestId ?? null}::bigint, ${invitationId ?? null}::bigint,
      now() + ${seconds}::double precision * interval '1 s'
    )`);
}

/** Ends the codes of an invitation that are older than `madeAt`. */
export async function deleteCodesBefore(queryable: Queryable, invitationId: number, madeAt: string): Promise<void> {
  await queryable.execute(sql`
    delete from sign_in_code where invitation_id = ${invitationId} and created_at < ${madeAt}::timestamptz`);
}

/** Spends a code: of several that try at once one gets it. Undefined when there is none, or it has expired. */
export function takeCode(queryable: Queryable, kind: CodeKind, hash: Buffer): Promise<TakenCode | undefined> {
  return queryable.maybeOne(sql<TakenCode>`
    delete from sign_in_code where hash = ${hash}::bytea and kind = ${kind} and expires_at > ${laterClock()}
    returning account_id as "accountId", request_id as "requestId", invitation_id as "invitationId"`);
}

/** Ends what other links of a spent one's request would do: a mail that was sent twice has two. */
export async function endOtherCodes(
  queryable: Queryable, { accountId, requestId }: TakenCode,
): Promise<void> {
  await queryable.execute(sql`
    delete from sign_in_code where request_id = ${requestId} and account_id is not distinct from ${accountId}::bigint`);
}

/** A code that is not spent yet, for what must be known before its transaction. */
export function findCode(queryable: Queryable, kind: CodeKind, hash: Buffer): Promise<TakenCode | undefined> {
  return queryable.maybeOne(sql<TakenCode>`
    select account_id as "accountId", request_id as "requestId", invitation_id as "invitationId"
      from sign_in_code where hash = ${hash}::bytea and kind = ${kind} and expires_at > ${laterClock()}`);
}
