import type { Database } from '@platform/postgres';
import type { Handler } from '@platform/rpc';
import type { OwnedTable } from '../owned-table.ts';
import { idsFromFields } from '../read-ids.ts';
import { remove } from '../store/rows.ts';

/** Deletes a row, and says whether there was one. */
export function deleteRow<TextName extends string>(
  database: Database,
  table: OwnedTable<TextName>,
): Handler<{ readonly id?: number | undefined }, { deleted: boolean }> {
  return async (request, { deadline }) => {
    const { id } = idsFromFields({ id: request.id });
    return { deleted: await remove(database, table, id, { deadline }) };
  };
}
