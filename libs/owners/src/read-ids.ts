import { idProblem, invalidValue, refuseTooMany, Violations } from '@platform/values';

/** Checks and returns the ids of a request. Each id must be at least 1. @throws Fault INVALID_VALUE, TOO_MANY_ITEMS */
export function idsFromMessage(path: string, ids: readonly number[]): readonly number[] {
  refuseTooMany(path, ids);
  const violations = new Violations();
  for (const [index, id] of ids.entries()) violations.note(`${path}[${index}]`, idProblem(id));
  violations.refuse(invalidValue);
  return ids;
}

/** Checks and returns ids. Each id must be present and at least 1. @throws Fault INVALID_VALUE with all problems */
export function idsFromFields<Name extends string>(
  fields: Readonly<Record<Name, number | undefined>>,
): Readonly<Record<Name, number>> {
  const entries = Object.entries<number | undefined>(fields).map(([name, id]) => [name, id ?? 0] as const);
  const violations = new Violations();
  for (const [name, id] of entries) violations.note(name, idProblem(id));
  violations.refuse(invalidValue);
  return Object.fromEntries(entries) as Record<Name, number>;
}
