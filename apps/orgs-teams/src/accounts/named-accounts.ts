import type { Queryable } from '@platform/postgres';
import { conflict, nameTaken } from '@platform/values';
import { findNamed, type Named } from './batches.ts';

/**
 * The accounts that a batch has just put, in the order of their names.
 * @throws Fault ALREADY_EXISTS when a name is an account's of another kind, CONFLICT when one was just deleted
 */
export async function idsOfNames(
  queryable: Queryable,
  kind: Named['kind'],
  names: readonly string[],
): Promise<number[]> {
  const found = new Map((await findNamed(queryable, names)).map((account) => [account.name.toLowerCase(), account]));
  return names.map((name) => {
    const account = found.get(name.toLowerCase());
    if (account === undefined) throw conflict(`${name} was deleted at this moment, try again`);
    if (account.kind !== kind) throw nameTaken(name);
    return account.id;
  });
}
