import { type Listed, orderBy, type Page, readPage } from '@platform/lists';
import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** One change, as it was noted. */
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

/** What is empty, or undefined, does not restrict. */
export interface AuditQuestion {
  /** Name of an account: what it did, what was done to it, what happened in it. */
  readonly account: string;
  readonly action: string;
  /** Id of an organization: what happened in it. */
  readonly organizationId: number | undefined;
  /** Name of an account, or `operator` or `platform`: what it did. */
  readonly actor: string;
  /** Nothing older. */
  readonly since: Date | undefined;
  readonly id: number | undefined;
}

export const newestFirst = orderBy({ column: 'id', kind: 'integer', descending: true });

/**
 * Newest first. An account that is gone is still found by the name it had. The length of the whole list is 0: counting
 * it would read the whole audit.
 */
export async function readAudit(
  queryable: Queryable,
  { account, action, organizationId, actor, since, id }: AuditQuestion,
  page: Page,
  deadline: Deadline,
): Promise<Listed<AuditRow>> {
  const key = account.toLowerCase();
  const ids = account === '' ? [] : await accountsNamed(queryable, key, deadline);
  const listed = await readPage<AuditRow>(queryable, {
    rows: sql`
      select audit.id, at, actor_id as "actorId", actor, action, object, organization_id as "organizationId",
             request_id as "requestId", details
        from audit
       where true
         ${action === '' ? sql`` : sql`and action = ${action}`}
         ${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
         ${actor === '' ? sql`` : sql`and lower(actor collate "C") = ${actor.toLowerCase()}`}
         ${since === undefined ? sql`` : sql`and at >= ${since}`}
         ${id === undefined ? sql`` : sql`and audit.id = ${id}`}
         ${account === '' ? sql`` : sql`and (
           lower(actor collate "C") = ${key}
           or actor_id = any (${ids}::bigint[])
           or organization_id = any (${ids}::bigint[])
           or subject_ids && ${ids}::bigint[]
           or object = any (${ids.flatMap((id) => [`user:${id}`, `organization:${id}`])}::text[])
         )`}`,
    order: newestFirst,
    count: sql`select 0`,
  }, page, deadline);
  return listed!;
}

/** The account of a name, and those that had it and are gone. */
async function accountsNamed(queryable: Queryable, key: string, deadline: Deadline): Promise<number[]> {
  const rows = await queryable.query(
    sql<{ id: number }>`
      select id from account where lower(name collate "C") = ${key}
       union
      select split_part(object, ':', 2)::bigint
        from audit
       where action in ('user.delete', 'organization.delete')
         and lower((details ->> 'name') collate "C") = ${key}`,
    { deadline },
  );
  return rows.map(({ id }) => id);
}
