import { type Queryable, sql, type Transaction } from '@platform/postgres';
import type { Deadline, Sealed } from '@platform/service';
import type { SealedTable } from '@platform/writes';

export interface AuthorityRow {
  readonly fingerprint: string;
  /** PEM. */
  readonly certificate: string;
  readonly sealedBy: string | null;
  readonly sealedKey: Buffer | null;
  readonly trusted: boolean;
  readonly signs: boolean;
}

const columns = sql`
  fingerprint, certificate, sealed_by as "sealedBy", sealed_key as "sealedKey", place is not null as "trusted", signs`;

/** Returns the identity with which the key of an authority is sealed. Only the same identity opens the sealed key. */
export function sealIdentity(fingerprint: string): string {
  return `license_authority/${fingerprint}`;
}

/** Takes the lock for changes of authorities. Only one transaction of all replicas can hold the lock at a time. */
export async function lockAuthorities(transaction: Transaction): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock('license_authority'::regclass::oid::integer, 0)`);
  // Transactions that issue licences lock the row of the signing authority. This statement waits until they have ended.
  await transaction.query(sql`select from license_authority order by fingerprint for update`);
}

/** All authorities that were ever trusted, in the order in which they were last added. */
export function readAuthorities(queryable: Queryable): Promise<AuthorityRow[]> {
  return queryable.query(sql<AuthorityRow>`select ${columns} from license_authority order by added_at, fingerprint`);
}

/** The certificates of all trusted authorities, in PEM. */
export async function readTrusted(queryable: Queryable, deadline: Deadline): Promise<string[]> {
  const rows = await queryable.query(sql<{ certificate: string }>`
    select certificate from license_authority where place is not null order by place`, { deadline });
  return rows.map(({ certificate }) => certificate);
}

export function readSigning(queryable: Queryable, deadline: Deadline): Promise<AuthorityRow | undefined> {
  return queryable.maybeOne(sql<AuthorityRow>`select ${columns} from license_authority where signs`, { deadline });
}

/**
 * Locks the signing authority until the transaction ends. Returns undefined if no authority signs, or if another
 * transaction has just replaced the signing authority.
 */
export function lockSigning(transaction: Transaction): Promise<Pick<AuthorityRow, 'fingerprint'> | undefined> {
  return transaction.maybeOne(sql<Pick<AuthorityRow, 'fingerprint'>>`
    select fingerprint from license_authority where signs for share`);
}

/** Trusts an authority. At most two authorities are trusted. @returns false when two authorities are trusted already */
export async function insertAuthority(
  transaction: Transaction, fingerprint: string, certificate: string, sealed: Sealed | undefined,
): Promise<boolean> {
  const inserted = await transaction.execute(sql`
    insert into license_authority (fingerprint, certificate, sealed_by, sealed_key, place)
    select ${fingerprint}, ${certificate}, ${sealed?.keyId ?? null}, ${sealed?.bytes ?? null}::bytea, free
      from generate_series(1, 2) as free
     where not exists (select from license_authority where place = free)
     order by free limit 1
        on conflict (fingerprint) do update
       set place = excluded.place, sealed_by = excluded.sealed_by, sealed_key = excluded.sealed_key, added_at = now()`);
  return inserted === 1;
}

export async function setKey(transaction: Transaction, fingerprint: string, sealed: Sealed): Promise<void> {
  await transaction.execute(sql`
    update license_authority set sealed_by = ${sealed.keyId}, sealed_key = ${sealed.bytes}::bytea
     where fingerprint = ${fingerprint}`);
}

export async function setSigning(transaction: Transaction, fingerprint: string): Promise<void> {
  await transaction.execute(sql`update license_authority set signs = false where signs`);
  await transaction.execute(sql`update license_authority set signs = true where fingerprint = ${fingerprint}`);
}

/** Ends the trust in an authority, and deletes its key. */
export async function removeAuthority(transaction: Transaction, fingerprint: string): Promise<void> {
  await transaction.execute(sql`
    update license_authority set place = null, sealed_by = null, sealed_key = null where fingerprint = ${fingerprint}`);
}

/** Describes the table with the keys of authorities. `platform admin keys rotate` encrypts these keys again. */
export const sealedAuthorities: SealedTable<Pick<AuthorityRow, 'fingerprint'>> = {
  table: 'license_authority',
  secret: 'sealed_key',
  columns: sql`fingerprint`,
  identityOf: ({ fingerprint }) => sealIdentity(fingerprint),
};
