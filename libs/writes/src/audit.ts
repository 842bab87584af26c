import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';

/** One change, as a write records it. The write path adds who made it and in which request. */
export interface AuditNote {
  /** `{kind}.{what}`: `organization.create`, `contract.extended`. */
  readonly action: string;
  /** Kind and id of what was changed: `organization:3`. */
  readonly object: string;
  /** The organization it happened in. */
  readonly organizationId?: number;
  /** Accounts it was done to, where `object` does not name them. */
  readonly subjectIds?: readonly number[];
  /** What changed; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Who changes something, and in which request. */
export interface Actor {
  /** Null for the operator and for the platform itself. */
  readonly accountId: number | null;
  /** Name of the account, or `operator`, or `platform`. */
  readonly name: string;
  readonly requestId: string;
  /** How the change came; by the platform itself when left out. */
  readonly via?: 'token' | 'session' | 'cli' | 'service';
  /** Source address of the request. */
  readonly address?: string;
}

/** Adds entries to the table `audit` (sql/audit.sql), all of them in one statement. */
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
