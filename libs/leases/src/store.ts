import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { everything } from './holder.ts';
import type { SeenSession } from './rules.ts';

/** The pending changes, which holders may not know yet, and the sessions. One statement reads both. */
export interface Looked {
  /** Oldest first. */
  readonly changes: readonly { readonly id: number; readonly key: string }[];
  readonly sessions: readonly SeenSession[];
}

/** Adds a session. Deletes `replaces`, the holder's previous session, whose answers the holder must have dropped. */
export async function insertSession(
  database: Queryable, id: string, { replaces, lifetimeMs }: { replaces: string | undefined; lifetimeMs: number },
  deadline: Deadline,
): Promise<void> {
  await database.execute(
    sql`
      with over as (delete from lease_session where id = ${replaces ?? null}::uuid)
      insert into lease_session (id, expires_at, lifetime_ms)
      values (${id}, clock_timestamp() + ${lifetimeMs}::integer * interval '1 ms', ${lifetimeMs})`,
    { deadline },
  );
}

/** Extends a session. Returns false if the session was revoked or deleted. */
export async function renewSession(
  database: Queryable, id: string, lifetimeMs: number, deadline: Deadline,
): Promise<boolean> {
  const row = await database.maybeOne(
    sql<{ id: string }>`
      update lease_session
         set expires_at = clock_timestamp() + ${lifetimeMs}::integer * interval '1 ms'
       where id = ${id} and not is_revoked
      returning id`,
    { deadline },
  );
  return row !== undefined;
}

/** Deletes sessions. Their holders must have dropped all kept answers. */
export async function deleteSessions(database: Queryable, ids: readonly string[], deadline: Deadline): Promise<void> {
  await database.execute(sql`delete from lease_session where id = any (${ids}::uuid[])`, { deadline });
}

/** Reads all pending changes. If there is a pending change, it also reads all sessions (leases.md L4). */
export async function look(database: Queryable, deadline: Deadline): Promise<Looked> {
  return database.one(
    sql<Looked>`
      with untold as materialized (select id, key from lease_change)
      select coalesce((select json_agg(json_build_object('id', id, 'key', key) order by id) from untold), '[]') as changes,
             case when exists (select from untold) then coalesce((
               select json_agg(json_build_object(
                        'id', session.id, 'lifetimeMs', session.lifetime_ms,
                        'expiresAt', extract(epoch from session.expires_at) * 1000,
                        'readAt', extract(epoch from clock_timestamp()) * 1000
                      ))
                 from lease_session session
             ), '[]') else '[]' end as sessions`,
    { deadline },
  );
}

/** Revokes sessions under row locks. After this function returns, none of them can be renewed. */
export async function revokeSessions(database: Queryable, ids: readonly string[], deadline: Deadline): Promise<void> {
  await database.execute(
    sql`
      update lease_session set is_revoked = true
       where id in (select id from lease_session where id = any (${ids}::uuid[]) order by id for update)`,
    { deadline },
  );
}

/** Adds a change that makes all holders drop all answers (leases.md L8). */
export async function noteEverything(transaction: Queryable): Promise<void> {
  await transaction.execute(sql`insert into lease_change (key) values (${everything})`);
}

/**
 * Returns sessions that expired more than 10 s ago. Their holders may still run. Therefore revoke these sessions first,
 * and delete them after their leases have expired.
 */
export async function staleSessions(
  database: Queryable, deadline: Deadline,
): Promise<readonly { readonly id: string; readonly lifetimeMs: number }[]> {
  return database.query(
    sql<{ id: string; lifetimeMs: number }>`
      select id, lifetime_ms as "lifetimeMs" from lease_session where expires_at < clock_timestamp() - interval '10 s'`,
    { deadline },
  );
}

/** Deletes changes that need no further publication, and revoked sessions whose leases have expired. */
export async function finish(
  database: Queryable, changes: readonly number[], sessions: readonly string[], deadline: Deadline,
): Promise<void> {
  await database.execute(
    sql`
      with over as (delete from lease_session where id = any (${sessions}::uuid[]))
      delete from lease_change where id = any (${changes}::bigint[])`,
    { deadline },
  );
}
