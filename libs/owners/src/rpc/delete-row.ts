import type { Database } from '@platform/postgres';
import type { CallContext } from '@platform/rpc';
import type { OwnedTable } from '../owned-table.ts';
import { idsFromFields } from '../read-ids.ts';
import { remove } from '../store/rows.ts';

/** Deletes a row, and says whether there was one. */
export function deleteRow<TextName extends string>(
  database: Database,
  table: OwnedTable<TextName>,
) {
  return async (
    request: { readonly id?: number | undefined }, { deadline }: CallContext,
  ): Promise<{ deleted: boolean }> => {
    const { id } = idsFromFields({ id: request.id });
    return { deleted: await remove(database, table, id, { deadline }) };
  };
}
