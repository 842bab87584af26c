import { createHmac } from 'node:crypto';
import { type Queryable, sql } from '@platform/postgres';
import type { Secret } from '@platform/service';
import { laterClock } from '../standing/clock.ts';

/** What a code of a link is for. */
export type CodeKind = 'link';

/** A code to keep. */
export interface NewCode {
  readonly kind: CodeKind;
  readonly hash: Buffer;
  readonly accountId: number;
  readonly seconds: number;
}

/** The keyed hash of a code: one of another kind opens nothing. */
export function codeHash(key: Secret, kind: CodeKind, code: string): Buffer {
  return createHmac('sha256', key.reveal()).update(`code/${kind}/${code}`).digest();
}

export async function insertCode(queryable: Queryable, { kind, hash, accountId, seconds }: NewCode): Promise<void> {
  await queryable.execute(sql`
    insert into sign_in_code (kind, hash, account_id, expires_at)
    values (${kind}, ${hash}::bytea, ${accountId}, now() + ${seconds}::double precision * interval '1 s')`);
}

/** Spends a code: of several that try at once one gets it. Undefined when there is none, or it has expired. */
export function takeCode(
  queryable: Queryable, kind: CodeKind, hash: Buffer,
): Promise<{ readonly accountId: number } | undefined> {
  return queryable.maybeOne(sql<{ accountId: number }>`
    delete from sign_in_code where hash = ${hash}::bytea and kind = ${kind} and expires_at > ${laterClock()}
    returning account_id as "accountId"`);
}
