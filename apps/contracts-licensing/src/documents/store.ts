import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { ownedBy } from '../accounts/store.ts';

/**
 * A file without a contract counts as unused this long after {@link announceFile}. Then no change can assign the file
 * to a contract, because uploads expire earlier (`@platform/files`).
 */
const commitWithin = sql`interval '2 hours'`;

/** Notes that a file is about to be stored. */
export async function announceFile(queryable: Queryable, name: string, deadline: Deadline): Promise<void> {
  await queryable.execute(sql`insert into document_file (name) values (${name}) on conflict do nothing`, { deadline });
}

/** Returns the names of at most 100 files that no contract has and that no running change can assign to a contract. */
export async function readUnusedFiles(queryable: Queryable): Promise<string[]> {
  const rows = await queryable.query<{ name: string }>(sql`
    select name from document_file file
     where stored_at < now() - ${commitWithin}
       and not exists (select from contract where document = file.name and document <> '')
     limit 100`);
  return rows.map(({ name }) => name);
}

/**
 * Returns the name of the contract's document, or an empty text if the contract has no document. Returns undefined if
 * the contract does not exist or belongs to another account. An undefined `ownerId` accepts every owner.
 */
export async function findDocument(
  queryable: Queryable, contractId: number, ownerId: number | undefined, deadline: Deadline,
): Promise<string | undefined> {
  const row = await queryable.maybeOne(sql<{ document: string }>`
    select document from contract where id = ${contractId} and ${ownedBy(ownerId)}`, { deadline });
  return row?.document;
}

/** The path of a document as the API shows it (open-points 5.1). */
export function documentPath(contractId: number, document: string): string {
  return `contracts/${contractId}/${document}`;
}
