import { type Queryable, sql } from '@platform/postgres';

/** One change for the audit. The write path adds the actor and the request id. */
export interface AuditNote {
  /** `{kind}.{what}`, such as `organization.create`. */
  readonly action: string;
  /** Kind of the changed object, and its id or name: `organization:3`, `site:main`. */
  readonly object: string;
  readonly organizationId?: number;
  /** Ids of affected accounts. If `object` names an account, the id of that account may be left out. */
  readonly subjectIds?: readonly number[];
  /** Details of the change; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Actor {
  /** Null for the operator and for the platform itself. */
  readonly accountId: number | null;
  /** Login of the account; `operator` or `platform` for a change without an account. */
  readonly name: string;
  readonly requestId: string;
  /** How the change was requested; undefined if the platform itself made the change. */
  readonly via?: 'token' | 'session' | 'cli' | 'service';
  readonly address?: string;
}

/** Adds entries to the table `audit` (sql/audit.sql) in one statement. */
export async function insertAudit(queryable: Queryable, actor: Actor, notes: readonly AuditNote[]): Promise<void> {
  if (notes.length === 0) return;
  const rows = notes.map(({ action, object, organizationId = null, subjectIds = [], details = {} }) => ({
    action, object, organization_id: organizationId, subject_ids: subjectIds, details,
  }));
  await queryable.execute(sql`
    insert into audit (
      actor_id, actor, action, object, organization_id, subject_ids, request_id, details, via, address
    )
    select ${actor.accountId}::bigint, ${actor.name}::text, action, object, organization_id, subject_ids,
           ${actor.requestId}::text, details, ${actor.via ?? 'service'}, ${actor.address ?? ''}
      from jsonb_to_recordset(${sql.json(rows)}::jsonb)
        as note (action text, object text, organization_id bigint, subject_ids bigint[], details jsonb)`);
}
