import {
  controlCharacterProblem, idProblem, invalidValue, lengthProblem, noteDuplicates, refuseTooMany, uuidProblem,
  Violations,
} from '@platform/values';
import type { NewRow, OwnedTable, TextColumn } from './owned-table.ts';

/** An unchecked row of a request. Fields may be missing. */
export type GivenRow<TextName extends string> = Readonly<Partial<Record<TextName, string | undefined>>> & {
  readonly key: string | undefined;
  readonly ownerId: number | undefined;
};

/**
 * Checks the rows of a request, and converts their keys to lower case.
 * @throws Fault INVALID_VALUE that names up to 20 problems; TOO_MANY_ITEMS for too many rows
 */
export function rowsFromMessage<TextName extends string>(
  { plural, key: { field, perOwner }, texts }: OwnedTable<TextName>, given: readonly GivenRow<TextName>[],
): NewRow<TextName>[] {
  refuseTooMany(plural, given);
  const columns = Object.entries<TextColumn>(texts);
  const violations = new Violations();
  const pathOfKey = (index: number) => `${plural}[${index}].${field}`;
  const rows = given.map((fields, index) => {
    const place = `${plural}[${index}]`;
    const key = (fields.key ?? '').toLowerCase();
    const ownerId = fields.ownerId ?? 0;
    violations.note(pathOfKey(index), uuidProblem(key));
    violations.note(`${place}.ownerId`, idProblem(ownerId));
    const read = columns.map(([name, bounds]) => {
      const text = fields[name as TextName] ?? '';
      violations.note(`${place}.${name}`, lengthProblem(text, bounds) ?? controlCharacterProblem(text));
      return [name, text] as const;
    });
    return { ...Object.fromEntries(read), key, ownerId } as NewRow<TextName>;
  });
  const identities = rows.map(({ key, ownerId }) => (perOwner ? `${key} of ${ownerId}` : key));
  noteDuplicates(violations, identities, pathOfKey);
  violations.refuse(invalidValue);
  return rows;
}
