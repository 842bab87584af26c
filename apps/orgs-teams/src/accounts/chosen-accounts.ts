import { type Fragment, sql } from '@platform/postgres';
import { slugKey } from '@platform/values';

/** The largest number of rows in one answer to the operator. */
export const mostListed = { largestUnpaged: 1_000 } as const;

/** Selects the account with this name, ignoring case; without a name, all accounts. */
export function named(name: string | undefined): Fragment {
  if (name === undefined) return sql`true`;
  const key = slugKey(name);
  return key === undefined ? sql`false` : sql`lower(account.name collate "C") = ${key}`;
}

/** Selects accounts whose name or full name begins with a text, ignoring case. */
export function namesBeginWith(text = ''): Fragment {
  if (text === '') return sql`true`;
  const pattern = `${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
  return sql`(lower(account.name collate "C") like lower(${pattern}) or lower(account.full_name) like lower(${pattern}))`;
}
