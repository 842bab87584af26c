import { anotherOf, type ExampleOrganization, type Name, type Names } from '../examples/names.ts';
import type { Case } from './cases.ts';

/** Two equal calls: one names things of another organization, the other names things that do not exist. */
export interface ForeignCall {
  readonly name: string;
  readonly there: Names['meant'];
  readonly nowhere: Names['meant'];
  /** The names that differ between the two calls. */
  readonly differs: readonly (readonly [there: Name, nowhere: Name])[];
}

/**
 * An attacker's calls for a case: one call for each name in its example, which is replaced by a name of another
 * organization, and one call with all names replaced. Names that are not secrets, such as those of users (open-points
 * 1.10), are left out.
 */
export function foreignCallsOf(
  { example, actsFor }: Case, theirs: ExampleOrganization, ours: ExampleOrganization,
): ForeignCall[] {
  if (actsFor === 'user') return [];
  const secret = [...namesIn([example.parameters, example.body])]
    .filter((name) => theirs.names.meant.has(name) && !theirs.names.open.has(name));
  const calls = secret.map((name) => foreignCall(String(name), ours.names.meant, [name], theirs));
  if (secret.length > 1) calls.push(foreignCall('everything', theirs.names.meant, secret, theirs));
  return calls;
}

function foreignCall(
  name: string, others: Names['meant'], foreign: readonly unknown[], { names }: ExampleOrganization,
): ForeignCall {
  const differs = foreign.map((one) => {
    const there = names.meant.get(one)!;
    return { one, there, nowhere: anotherOf(there) };
  });
  return {
    name,
    there: new Map([...others, ...differs.map(({ one, there }) => [one, there] as const)]),
    nowhere: new Map([...others, ...differs.map(({ one, nowhere }) => [one, nowhere] as const)]),
    differs: differs.map(({ there, nowhere }) => [there, nowhere]),
  };
}

/** All texts and numbers of a value, each once. */
function namesIn(value: unknown, found = new Set<unknown>()): Set<unknown> {
  if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) namesIn(one, found);
  else found.add(value);
  return found;
}
