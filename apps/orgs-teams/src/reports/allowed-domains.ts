import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Page } from '../domain/page.ts';
import { type Listed, readPage } from './page.ts';

/** A domain that may sign up, by its name. */
export interface AllowedDomainRow {
  readonly id: string;
}

/** The domains that may sign up, by code point. */
export async function readAllowedDomains(
  queryable: Queryable,
  page: Page<string>,
  deadline: Deadline,
): Promise<Listed<AllowedDomainRow>> {
  const listed = await readPage<AllowedDomainRow>(
    queryable,
    {
      rows: sql`select domain as id from site_setting, unnest(allowed_domains collate "C") domain where true`,
      key: sql`domain`,
      count: sql`select cardinality(allowed_domains) from site_setting`,
    },
    page,
    deadline,
  );
  return listed!;
}
