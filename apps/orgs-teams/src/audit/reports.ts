import { type Listed, orderBy, type Page, readPage } from '@platform/lists';
import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

export interface AuditRow {
  readonly id: number;
  readonly at: Date;
  readonly actorId: number | null;
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  readonly organizationId: number | null;
  readonly requestId: string;
  readonly details: unknown;
}

/** Filters of the audit. An undefined filter does not restrict the result. */
export interface AuditFilter {
  /** Id of an organization: selects the changes in this organization. */
  readonly organizationId?: number | undefined;
  /** Name of an account, or `operator` or `platform`: selects the changes by this actor. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** `type:id`. */
  readonly object?: string | undefined;
  /** Nothing older. */
  readonly since?: Date | undefined;
  /** Selects only changes before this time. */
  readonly until?: Date | undefined;
}

interface AuditQuestion extends AuditFilter {
  /** Name of an account: selects the changes by this account, to this account, and within this organization. */
  readonly account?: string | undefined;
  readonly id?: number | undefined;
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
 * Reads changes, newest first. Also finds a deleted account by its former name. The returned total is always 0, because
 * counting would read the whole audit.
 */
export async function readAudit(
  queryable: Queryable, { account, id, ...filter }: AuditQuestion, page: Page, deadline: Deadline,
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

/** Returns the SQL condition for {@link AuditQuestion.account}. @param key name of the account in lower case */
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

/** Returns the ids of the account with this name and of deleted accounts that had this name. */
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
