import { type Queryable, sql, type Transaction } from '@platform/postgres';
import { type Deadline, type Sealed, type Sealer, Secret } from '@platform/service';
import type { SealedTable } from '../reseal.ts';

/** How long the answer to a request with an `Idempotency-Key` is kept, in milliseconds (open-points 18.8). */
export const keptMs = 86_400_000;

/** A request with an `Idempotency-Key`. */
export interface Place {
  readonly accountId: number;
  /** Hash of the header `Idempotency-Key`, the verb, the path, and the query without tokens. */
  readonly key: Buffer;
  /**
   * Hashes of the body together with the account and the token's cluster and slot. There is one hash for each
   * encryption key. The first hash is stored.
   */
  readonly bodies: readonly [Buffer, ...Buffer[]];
  readonly tokenId: number;
}

/** An encoded response, or the encoded fault of a refusal. */
export interface Outcome {
  readonly refused: boolean;
  readonly bytes: Buffer;
}

export interface KeptRow {
  readonly body: Buffer;
  /** Id of the token with which the stored request was sent. */
  readonly tokenId: number;
  /** Undefined while the request is under way, or if it ended without a kept answer. */
  readonly outcome: Outcome | undefined;
  readonly isCutOff: boolean;
}

interface Row extends Pick<Place, 'accountId' | 'key'>, Omit<KeptRow, 'outcome'> {
  readonly refused: boolean | null;
  readonly keyId: string | null;
  readonly bytes: Buffer | null;
}

const kept = sql`now() - ${keptMs} * interval '1 millisecond'`;

/** Reads the stored row of the request. Returns undefined if there is no row, or if the row has expired. */
export async function findKept(
  queryable: Queryable, sealer: Sealer, { accountId, key }: Place, deadline?: Deadline,
): Promise<KeptRow | undefined> {
  const row = await queryable.maybeOne(
    sql<Row>`
      select account_id as "accountId", key, body, token_id as "tokenId", coalesce(claimed_until <= now(), false) as "isCutOff", refused,
             sealed_by as "keyId", sealed_secret as "bytes"
        from kept_answer
       where account_id = ${accountId} and key = ${key} and at > ${kept}`,
    deadline && { deadline },
  );
  if (row === undefined) return undefined;
  const { body, tokenId, isCutOff, refused } = row;
  if (refused === null) return { body, tokenId, isCutOff, outcome: undefined };
  const sealed = sealer.open({ keyId: row.keyId!, bytes: row.bytes! }, identityOf(row)).reveal();
  return { body, tokenId, isCutOff, outcome: { refused, bytes: Buffer.from(sealed, 'base64') } };
}

/** Locks the key until the transaction ends. Returns false if another transaction has locked the key. */
export async function lockKey(transaction: Transaction, { accountId, key }: Place): Promise<boolean> {
  const { taken } = await transaction.one(sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(
      hashtextextended('kept_answer ' || ${accountId}::bigint || ' ' || encode(${key}, 'hex'), 0)
    ) as "taken"`);
  return taken;
}

/** Stores an answer. The caller must hold the lock of the key ({@link lockKey}). */
export async function insertKept(queryable: Queryable, sealer: Sealer, place: Place, outcome: Outcome): Promise<void> {
  const { accountId, tokenId, key, bodies: [body] } = place;
  const { keyId, bytes } = seal(sealer, place, outcome);
  await queryable.execute(sql`
    insert into kept_answer (account_id, token_id, key, body, refused, sealed_by, sealed_secret)
    values (${accountId}, ${tokenId}, ${key}, ${body}, ${outcome.refused}, ${keyId}, ${bytes})
    on conflict on constraint kept_answer_key do update
       set at = now(), token_id = excluded.token_id, body = excluded.body, refused = excluded.refused, sealed_by = excluded.sealed_by,
           sealed_secret = excluded.sealed_secret, claim = null, claimed_until = null`);
}

/**
 * Marks a request as under way, and returns the id that it shares with its repeats. Returns undefined if an earlier
 * request with this key is under way or has an answer. Also returns undefined if the earlier request was interrupted
 * and had a different body. Requests older than {@link keptMs} do not count.
 */
export async function insertClaim(
  queryable: Queryable, { accountId, tokenId, key, bodies }: Place, claim: string, forMs: number,
): Promise<string | undefined> {
  const until = sql`now() + ${forMs} * interval '1 millisecond'`;
  const claimed = await queryable.maybeOne(sql<{ request: string }>`
    insert into kept_answer (account_id, token_id, key, body, claim, claimed_until)
    values (${accountId}, ${tokenId}, ${key}, ${bodies[0]}, ${claim}, ${until})
    on conflict on constraint kept_answer_key do update
       set at = now(), token_id = excluded.token_id, body = excluded.body, claim = excluded.claim, claimed_until = excluded.claimed_until,
           request = case when kept_answer.at <= ${kept} then excluded.request else kept_answer.request end,
           refused = null, sealed_by = null, sealed_secret = null
     where kept_answer.at <= ${kept}
        or (kept_answer.claimed_until <= now() and kept_answer.body = any (${bodies}::bytea[]))
    returning request`);
  return claimed?.request;
}

/** Stores the answer to a request that was under way. @returns false if another request has taken over the row */
export async function answerClaim(
  queryable: Queryable, sealer: Sealer, place: Place, claim: string, outcome: Outcome,
): Promise<boolean> {
  const { keyId, bytes } = seal(sealer, place, outcome);
  const answered = await queryable.execute(sql`
    update kept_answer
       set refused = ${outcome.refused}, sealed_by = ${keyId}, sealed_secret = ${bytes}, claim = null, claimed_until = null
     where account_id = ${place.accountId} and key = ${place.key} and claim = ${claim}`);
  return answered > 0;
}

/** Marks a request as no longer under way, without an answer. A repeat can then continue the steps of the request. */
export async function endClaim(queryable: Queryable, { accountId, key }: Place, claim: string): Promise<void> {
  await queryable.execute(sql`
    update kept_answer set claimed_until = now()
     where account_id = ${accountId} and key = ${key} and claim = ${claim}`);
}

function seal(sealer: Sealer, place: Place, { bytes }: Outcome): Sealed {
  return sealer.seal(new Secret(bytes.toString('base64')), identityOf(place));
}

function identityOf({ accountId, key }: Pick<Place, 'accountId' | 'key'>): string {
  return `kept_answer/${accountId}/${key.toString('hex')}`;
}

/** The table of kept answers, for `platform admin keys rotate`. */
export const sealedAnswers: SealedTable<Pick<Place, 'accountId' | 'key'>> = {
  table: 'kept_answer', columns: sql`account_id as "accountId", key`, identityOf,
};
