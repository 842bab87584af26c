import { type Queryable, type QueryOptions, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** Kinds of events of a subscription (open-points 8.4). */
export type Operation = 'subscribe' | 'bind' | 'put' | 'delete' | 'revoke' | 'report-usage' | 'alert' | 'unknown';

interface NewEntry {
  readonly operation: Operation;
  readonly status: 'success' | 'failure' | 'ignored';
  readonly description: string;
  /** Details of the event, without secrets. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Digest of the notification that the entry is about. */
  readonly notification?: Buffer | undefined;
}

/** Adds an entry, or updates the existing entry of the same notification. @returns the id of the entry */
export async function insertAudit(queryable: Queryable, subscriptionId: number, entry: NewEntry): Promise<number> {
  const { operation, status, description, data = {}, notification = null } = entry;
  const { id } = await queryable.one(sql<{ id: number }>`
    insert into marketplace_audit as known (subscription_id, at, status, operation_type, description, data, notification)
    values (${subscriptionId}, clock_timestamp(), ${status}, ${operation}, ${description}, ${sql.json(data)}::jsonb,
            ${notification}::bytea)
        on conflict (notification) do update
       set at = excluded.at, status = excluded.status, description = excluded.description,
           data = known.data || excluded.data
    returning id`);
  return id;
}

/** Adds entries that do not belong to a notification, in one statement. */
export async function insertEntries(
  queryable: Queryable,
  entries: readonly (Omit<NewEntry, 'notification'> & { readonly subscriptionId: number })[],
): Promise<void> {
  await queryable.execute(sql`
    insert into marketplace_audit (subscription_id, at, status, operation_type, description, data)
    select "subscriptionId", clock_timestamp(), status, operation, description, data
      from jsonb_to_recordset(${sql.json(entries)}::jsonb)
           as entry ("subscriptionId" bigint, status text, operation text, description text, data jsonb)`);
}

/** Adds an entry for a refused notification. Does nothing if an entry has one of the notification's `digests`. */
export async function insertRefusal(
  queryable: Queryable, subscriptionId: number,
  { operation, description, data = {}, digests }:
  Pick<NewEntry, 'operation' | 'description' | 'data'> & { readonly digests: readonly [Buffer, ...Buffer[]] },
  options: QueryOptions,
): Promise<void> {
  await queryable.execute(sql`
    insert into marketplace_audit (subscription_id, status, operation_type, description, data, notification)
    select ${subscriptionId}, 'failure', ${operation}, ${description}, ${sql.json(data)}::jsonb, ${digests[0]}::bytea
     where not exists (select from marketplace_audit where notification = any (${digests}::bytea[]))
        on conflict (notification) do nothing`, options);
}

/**
 * Updates the failed entries of a subscription after its contracts were created or revoked. An entry of a notification
 * changes only if the notification has no answer yet.
 */
export async function settleEntries(
  queryable: Queryable, subscriptionId: number, operations: readonly Operation[],
  { status, description, data = {} }: Pick<NewEntry, 'status' | 'description' | 'data'>,
): Promise<void> {
  await queryable.execute(sql`
    update marketplace_audit
       set at = clock_timestamp(), status = ${status}, description = ${description},
           data = data || ${sql.json(data)}::jsonb
     where subscription_id = ${subscriptionId} and operation_type = any (${operations}::text[]) and status = 'failure'
       and (operation_type = 'revoke' or notification in (
             select digest from notification where subscription_id = ${subscriptionId} and not answered
           ))`);
}

interface EntryRow {
  readonly at: Date;
  readonly status: string;
  readonly operation: string;
  readonly description: string;
  readonly data: Record<string, unknown>;
}

/** Maximum number of entries in one answer. A subscription may have more, because usage is reported each hour. */
const mostEntries = 10_000;

/**
 * Returns the entries of a subscription, newest first. If there are more than {@link mostEntries}, leaves out the
 * oldest usage reports first.
 */
export function readAudit(queryable: Queryable, subscriptionId: number, deadline: Deadline): Promise<EntryRow[]> {
  return queryable.query(sql<EntryRow>`
    select at, status, operation_type as "operation", description, data
      from (
        select * from marketplace_audit where subscription_id = ${subscriptionId}
         order by operation_type = 'report-usage', at desc, id desc limit ${mostEntries}
      ) entry
     order by at desc, id desc`, { deadline });
}
