import type { Queryable, QueryOptions } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** Kinds of what happens to a subscription (open-points 8.4). */
export type Operation = 'subscribe' | 'bind' | 'put' | 'delete' | 'revoke' | 'report-usage' | 'alert' | 'unknown';

/** One entry of the audit. */
export interface NewEntry {
  readonly operation: Operation;
  readonly status: 'success' | 'failure' | 'ignored';
  /** For people. */
  readonly description: string;
  /** The request or the answer; never a secret. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Digest of the notification that it is about. */
  readonly notification?: Buffer | undefined;
}

/**
 * Adds an entry. A notification has one: another outcome of the same notification replaces it, because a notification
 * is sent again until it succeeds.
 * @returns the entry's id
 */
export async function insertAudit(queryable: Queryable, subscriptionId: number, entry: NewEntry): Promise<number> {
  const { operation, status, description, data = {}, notification = null } = entry;
  const { id } = await queryable.one(sql<{ id: number }>`
    insert into marketplace_audit as known (subscription_id, status, operation_type, description, data, notification)
    values (${subscriptionId}, ${status}, ${operation}, ${description}, ${sql.json(data)}::jsonb, ${notification}::bytea)
        on conflict (notification) do update
       set status = excluded.status, description = excluded.description
    returning id`);
  return id;
}

/** Whether a notification has an entry. @param digests of the notification, one for each key */
export async function hasAudit(
  queryable: Queryable, digests: readonly Buffer[], options: QueryOptions,
): Promise<boolean> {
  const found = await queryable.query(sql<{ id: number }>`
    select id from marketplace_audit where notification = any (${digests}::bytea[])`, options);
  return found.length > 0;
}

/** An entry as it is answered. */
export interface EntryRow {
  readonly at: Date;
  readonly status: string;
  readonly operation: string;
  readonly description: string;
  readonly data: Record<string, unknown>;
}

/** Everything that happened to a subscription, newest first. */
export function readAudit(queryable: Queryable, subscriptionId: number, deadline: Deadline): Promise<EntryRow[]> {
  return queryable.query(sql<EntryRow>`
    select at, status, operation_type as "operation", description, data
      from marketplace_audit where subscription_id = ${subscriptionId} order by id desc`, { deadline });
}
