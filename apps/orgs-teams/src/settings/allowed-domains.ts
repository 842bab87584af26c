import { type Listed, orderBy, type Page, readPage } from '@platform/lists';
import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** A domain that may sign up. */
export interface AllowedDomainRow {
  readonly name: string;
}

const byName = orderBy({ column: 'name', kind: 'text' });

/** The domains that may sign up, by code point. */
export async function readAllowedDomains(
  queryable: Queryable,
  page: Page,
  deadline: Deadline,
): Promise<Listed<AllowedDomainRow>> {
  const listed = await readPage<AllowedDomainRow>(
    queryable,
    {
      rows: sql`select domain as name from site_setting, unnest(allowed_domains collate "C") domain`,
      order: byName,
      count: sql`select cardinality(allowed_domains) from site_setting`,
    },
    page,
    deadline,
  );
  return listed!;
}
