import { isDeepStrictEqual } from 'node:util';

/** The changed fields with their values before and after, as stored in an audit row. */
export interface ChangedFields extends Readonly<Record<string, unknown>> {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** Compares the fields of `after` with the same fields of `before`. Returns undefined if all are equal. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): ChangedFields | undefined {
  const all = Object.keys(after) as (keyof Fields & string)[];
  const names = all.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  if (names.length === 0) return undefined;
  const only = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name]]));
  return { before: only(before), after: only(after) };
}
