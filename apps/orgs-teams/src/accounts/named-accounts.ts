import type { Queryable } from '@platform/postgres';
import { conflict, nameTaken } from '@platform/values';
import { findNamed, type Named } from './batches.ts';

/**
 * Returns the ids of the accounts with these names, in the order of the names, after a batch has added missing ones.
 * @throws Fault ALREADY_EXISTS for an account of another kind, CONFLICT for an account that was just deleted
 */
export async function idsOfNames(
  queryable: Queryable, kind: Named['kind'], names: readonly string[],
): Promise<number[]> {
  const found = new Map((await findNamed(queryable, names)).map((account) => [account.name.toLowerCase(), account]));
  return names.map((name) => {
    const account = found.get(name.toLowerCase());
    if (account === undefined) throw conflict(`${name} was deleted in the meantime, try again`);
    if (account.kind !== kind) throw nameTaken(name);
    return account.id;
  });
}
