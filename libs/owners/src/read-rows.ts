import type { Violation } from '@platform/rpc';
import { invalidValues, tooManyItems } from './faults.ts';
import type { NewRow, OwnedTable, TextColumn } from './owned-table.ts';
import { belowOne, mostItems } from './read-ids.ts';

/** A row as a message has it: fields may be missing. */
export type GivenRow<TextName extends string> = Readonly<Partial<Record<TextName, string | undefined>>> & {
  readonly key: string | undefined;
  readonly ownerId: number | undefined;
};

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const controlCharacter = /[\u0000-\u001f\u007f]/;

/**
 * Reads rows to put; keys become lower case.
 * @throws Fault INVALID_VALUE that names all that is wrong, TOO_MANY_ITEMS
 */
export function rowsFromMessage<TextName extends string>(
  { plural, key: { field }, texts }: OwnedTable<TextName>,
  given: readonly GivenRow<TextName>[],
): NewRow<TextName>[] {
  if (given.length > mostItems) throw tooManyItems(plural, mostItems);
  const columns = Object.entries<TextColumn>(texts);
  const violations: Violation[] = [];
  const places = new Map<string, string>();
  const rows = given.map((fields, index) => {
    const place = `${plural}[${index}]`;
    const key = (fields.key ?? '').toLowerCase();
    const ownerId = fields.ownerId ?? 0;
    const twin = places.get(key);
    if (!uuid.test(key)) {
      violations.push({ path: `${place}.${field}`, message: 'must be a UUID' });
    } else if (twin === undefined) {
      places.set(key, place);
    } else {
      violations.push({ path: `${place}.${field}`, message: `is given by ${twin} too` });
    }
    if (ownerId < 1) violations.push(belowOne(`${place}.ownerId`));
    const read = columns.map(([name, column]) => {
      const text = fields[name as TextName] ?? '';
      violations.push(...textViolations(`${place}.${name}`, text, column));
      return [name, text] as const;
    });
    return { ...Object.fromEntries(read), key, ownerId } as NewRow<TextName>;
  });
  if (violations.length > 0) throw invalidValues(violations);
  return rows;
}

function textViolations(path: string, text: string, { least, most }: TextColumn): Violation[] {
  const violations: Violation[] = [];
  // Characters, as PostgreSQL counts them, not UTF-16 units.
  const length = text.length > 2 * most ? text.length : [...text].length;
  if (length < least || length > most) {
    violations.push({ path, message: `must have ${least} to ${most} characters` });
  }
  if (controlCharacter.test(text)) violations.push({ path, message: 'must not have control characters' });
  return violations;
}
