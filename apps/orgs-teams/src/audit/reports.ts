import { type Listed, orderBy, type Page, readPage } from '@platform/lists';
import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { AuditEntry } from '@platform/proto/orgs/v1/admin';
import type { Deadline } from '@platform/service';

export type AuditRow = Omit<AuditEntry, 'at' | 'actorId' | 'organizationId' | 'details'> & {
  readonly at: Date;
  readonly actorId: number | null;
  readonly organizationId: number | null;
  readonly details: unknown;
};

/** Selects audit entries. An undefined field does not restrict the selection. */
export interface AuditFilter {
  readonly organizationId?: number | undefined;
  /** Name of an account, or `operator` or `platform`. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** The changed object, such as `team:5`. */
  readonly object?: string | undefined;
  /** Entries from this time on are selected. */
  readonly since?: Date | undefined;
  /** Entries before this time are selected. */
  readonly until?: Date | undefined;
}

/** Returns the SQL condition of a filter, on rows of the table `audit`. */
export function chosenBy({ organizationId, actor, action, object, since, until }: AuditFilter): Fragment {
  return sql`(
    true
    ${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
    ${actor === undefined ? sql`` : sql`and lower(actor collate "C") = ${actor.toLowerCase()}`}
    ${action === undefined ? sql`` : sql`and action = ${action}`}
    ${object === undefined ? sql`` : sql`and object = ${object}`}
    ${since === undefined ? sql`` : sql`and at >= ${since}`}
    ${until === undefined ? sql`` : sql`and at < ${until}`}
  )`;
}

export const newestFirst = orderBy({ column: 'id', kind: 'integer', descending: true });

/**
 * Reads audit entries, newest first. The total is always 0, because counting would read the whole audit. `account` is
 * the name of an existing or deleted account. With `account`, only entries are returned whose actor, organization,
 * object or affected account is this account.
 */
export async function readAudit(
  queryable: Queryable,
  { account, id, ...filter }: AuditFilter & { readonly account: string | undefined; readonly id: number | undefined },
  page: Page,
  deadline: Deadline,
): Promise<Listed<AuditRow>> {
  const touched = account === undefined ? sql`true` : await touching(queryable, account.toLowerCase(), deadline);
  const listed = await readPage<AuditRow>(queryable, {
    rows: sql`
      select audit.id, at, actor_id as "actorId", actor, action, object, organization_id as "organizationId",
             request_id as "requestId", details
        from audit
       where ${chosenBy(filter)} and ${touched} ${id === undefined ? sql`` : sql`and audit.id = ${id}`}`,
    order: newestFirst,
    count: sql`select 0`,
  }, page, deadline);
  return listed!;
}

/**
 * Returns the SQL condition that an account is the actor, the organization, the object or a subject of an audit entry.
 * @param key name of the account in lower case
 */
async function touching(queryable: Queryable, key: string, deadline: Deadline): Promise<Fragment> {
  const ids = await accountsNamed(queryable, key, deadline);
  return sql`(
    lower(actor collate "C") = ${key}
    or actor_id = any (${ids}::bigint[])
    or organization_id = any (${ids}::bigint[])
    or subject_ids && ${ids}::bigint[]
    or object = any (${ids.flatMap((id) => [`user:${id}`, `organization:${id}`])}::text[])
  )`;
}

/** Returns the ids of the account with this name, and of deleted accounts that had this name. */
async function accountsNamed(queryable: Queryable, key: string, deadline: Deadline): Promise<number[]> {
  const rows = await queryable.query(sql<{ id: number }>`
    select id from account where lower(name collate "C") = ${key}
     union
    select split_part(object, ':', 2)::bigint
      from audit
     where action in ('user.delete', 'organization.delete')
       and lower((details ->> 'name') collate "C") = ${key}`, { deadline });
  return rows.map(({ id }) => id);
}
