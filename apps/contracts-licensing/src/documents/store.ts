import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { ownedBy } from '../accounts/store.ts';

/** After this time, no change can name a stored file: its handle is valid for an hour (@platform/files). */
const commitWithin = sql`interval '2 hours'`;

/** Notes that a file is about to be stored. */
export async function announceFile(queryable: Queryable, name: string, deadline: Deadline): Promise<void> {
  await queryable.execute(sql`insert into document_file (name) values (${name}) on conflict do nothing`, { deadline });
}

/** Names of files that no contract has, and that no running change can name any more. */
export async function readUnusedFiles(queryable: Queryable): Promise<string[]> {
  const rows = await queryable.query<{ name: string }>(sql`
    select name from document_file file
     where stored_at < now() - ${commitWithin}
       and not exists (select from contract where document = file.name and document <> '')
     limit 100`);
  return rows.map(({ name }) => name);
}

/** Empty if the contract has no document; undefined when there is no such contract, or its owner is not `ownerId`. */
export async function findDocument(
  queryable: Queryable, contractId: number, ownerId: number | undefined, deadline: Deadline,
): Promise<string | undefined> {
  const row = await queryable.maybeOne(sql<{ document: string }>`
    select document from contract where id = ${contractId} and ${ownedBy(ownerId)}`, { deadline });
  return row?.document;
}

/** As the API shows the path (open-points 5.1). */
export function documentPath(contractId: number, document: string): string {
  return `contracts/${contractId}/${document}`;
}
