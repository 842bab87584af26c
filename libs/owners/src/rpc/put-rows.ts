import { type Database, type Transaction, UniqueViolation } from '@platform/postgres';
import type { Violation } from '@platform/faults';
import type { Deadline } from '@platform/service';
import { changedMeanwhile, nameTaken, ownedBySomebodyElse } from '../faults.ts';
import { nameClosedOwners } from '../name-closed-owners.ts';
import { nameConstraint, type NewRow, type OwnedRow, type OwnedTable } from '../owned-table.ts';
import { type GivenRow, rowsFromMessage } from '../read-rows.ts';
import { addMissing, lockKnown, rewrite, withSameNames } from '../store/rows.ts';

/** Inserts the rows that are not in the table yet; see {@link addMissing}. */
export type InsertMissing<TextName extends string> = (
  transaction: Transaction, table: OwnedTable<TextName>, rows: readonly NewRow<TextName>[],
) => Promise<void>;

/**
 * Adds or updates the rows, all or none. Returns them in the order of the request. A stored row with the same key and
 * owner keeps its id and gets the texts of the request. So a repeated request changes nothing.
 * @throws Fault INVALID_VALUE, TOO_MANY_ITEMS, ALREADY_EXISTS, CONFLICT
 */
export function putRows<TextName extends string>(database: Database, table: OwnedTable<TextName>) {
  return async (
    message: readonly GivenRow<TextName>[], deadline: Deadline, insertMissing: InsertMissing<TextName> = addMissing,
  ): Promise<OwnedRow<TextName>[]> => {
    const given = rowsFromMessage(table, message);
    if (given.length === 0) return [];
    const ownerIds = given.map(({ ownerId }) => ownerId);
    const texts = Object.keys(table.texts) as TextName[];
    const write = () => database.transact(async (transaction) => {
      await insertMissing(transaction, table, given);
      const found = await lockKnown(transaction, table, given);
      const inOrder = inOrderOf(table, given, found);
      const changed = given.filter((row, index) => texts.some((name) => row[name] !== inOrder[index]![name]));
      if (changed.length > 0) await rewrite(transaction, table, changed);
      return inOrder;
    }, { deadline });
    const put = (): Promise<OwnedRow<TextName>[]> =>
      nameClosedOwners(database, table, ownerIds, deadline, write).catch(async (error: unknown) => {
        if (!(error instanceof UniqueViolation) || error.constraint !== nameConstraint(table)) throw error;
        const taken = takenNames(table, given, await withSameNames(database, table, given, { deadline }));
        // If no other row has the name now, another request has just added the same row or freed the name. Try again.
        if (taken.length === 0) return put();
        throw nameTaken(table, taken);
      });
    const rows = await put();
    return rows.map((row, index) => ({ ...row, ...given[index] }));
  };
}

/**
 * Finds rows whose name belongs to another row of the same owner. The other row is stored, or comes earlier in the
 * request.
 */
function takenNames<TextName extends string>(
  { plural }: OwnedTable<TextName>, given: readonly NewRow<TextName>[], known: readonly OwnedRow<TextName>[],
): Violation[] {
  const keys = new Map(known.map((row) => [nameOf(row), row.key]));
  return given.flatMap((row, index) => {
    const holder = keys.get(nameOf(row)) ?? row.key;
    keys.set(nameOf(row), holder);
    return holder === row.key ? [] : [{ path: `${plural}[${index}].name`, message: 'is already taken' }];
  });
}

function nameOf(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([row['ownerId'], row['name']]);
}

function inOrderOf<TextName extends string>(
  table: OwnedTable<TextName>, given: readonly NewRow<TextName>[], found: readonly OwnedRow<TextName>[],
): OwnedRow<TextName>[] {
  const identity = ({ key, ownerId }: NewRow<TextName>) => (table.key.perOwner ? `${ownerId}/${key}` : key);
  const known = new Map(found.map((row) => [identity(row), row]));
  const rows = given.map((row) => known.get(identity(row)));
  const foreign = given.flatMap(({ ownerId }, index) => ((rows[index] ?? { ownerId }).ownerId === ownerId
    ? [] : [{ path: `${table.plural}[${index}].${table.key.field}`, message: 'belongs to another account' }]));
  if (foreign.length > 0) throw ownedBySomebodyElse(table, foreign);
  if (rows.includes(undefined)) throw changedMeanwhile(table);
  return rows as OwnedRow<TextName>[];
}
