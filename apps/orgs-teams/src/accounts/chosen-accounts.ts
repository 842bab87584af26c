import { type Fragment, sql } from '@platform/postgres';
import { slugKey } from '@platform/values';

/** Maximum number of rows in one answer to the operator. */
export const mostListed = { largestUnpaged: 1_000 } as const;

/** SQL condition: the account has this name, ignoring case. Without a name, it is true for all accounts. */
export function named(name: string | undefined): Fragment {
  if (name === undefined) return sql`true`;
  const key = slugKey(name);
  return key === undefined ? sql`false` : sql`lower(account.name collate "C") = ${key}`;
}

/** SQL condition: the account's name or full name begins with a text, ignoring case. */
export function namesBeginWith(text = ''): Fragment {
  if (text === '') return sql`true`;
  const pattern = `${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
  return sql`(lower(account.name collate "C") like lower(${pattern}) or lower(account.full_name) like lower(${pattern}))`;
}
