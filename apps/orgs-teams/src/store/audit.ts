import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';

/** One change, as a write notes it; who did it and from which request the write path adds. */
export interface AuditNote {
  /** `organization.create`, `user.update`, `token.revoke`. */
  readonly action: string;
  /** Kind and id of what was changed: `organization:3`. */
  readonly object: string;
  /** The organization it happened in. */
  readonly organizationId?: number;
  /** What changed; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Who changes something, and from where. */
export interface Actor {
  /** Null for the operator and for the platform itself. */
  readonly accountId: number | null;
  /** Name of the account, or `operator`, or `platform`. */
  readonly name: string;
  readonly requestId: string;
}

export async function insertAudit(queryable: Queryable, actor: Actor, note: AuditNote): Promise<void> {
  await queryable.execute(sql`
    insert into audit (actor_id, actor, action, object, organization_id, request_id, details)
    values (
      ${actor.accountId}, ${actor.name}, ${note.action}, ${note.object}, ${note.organizationId ?? null},
      ${actor.requestId}, ${sql.json(note.details ?? {})}
    )`);
}
