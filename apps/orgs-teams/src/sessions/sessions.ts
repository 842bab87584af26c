import { notFound } from '@platform/faults';
import { byId, pageOf, readPage } from '@platform/lists';
import { type Database, sql } from '@platform/postgres';
import type { Session, SessionServiceService } from '@platform/proto/orgs/v1/session';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { invalidToken } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { isOver, laterClock } from '../standing/clock.ts';
import { toUser } from '../users/convert.ts';
import { personCalling } from '../users/own-account.ts';
import { readUser } from '../users/reports.ts';
import { lock } from '../write/locks.ts';

/** GET /user/sessions (open-points 18.1). */
export function listSessions({ config, database }: Parts): Handler<typeof SessionServiceService.listSessions> {
  return async (request, { caller, deadline }) => {
    const { id, tokenId } = personCalling(caller);
    const ofPerson = sql`
      from access_token token
     where account_id = ${id} and kind = 'session' and not ${isOver(sql`token`)}`;
    const { items, total, next } = (await readPage<Omit<Session, 'current'>>(database, {
      rows: sql`
        select id, created_at as "createdAt", coalesce(last_used_at, created_at) as "lastSeenAt",
               expires_at as "expiresAt", via, user_agent as "userAgent", address ${ofPerson}`,
      order: byId,
      count: sql`select count(*) ${ofPerson}`,
    }, pageOf(request, config), deadline))!;
    return { sessions: items.map((row) => ({ ...row, current: row.id === tokenId })), total, next };
  };
}

/** DELETE /user/sessions/{id} (open-points 18.1). */
export function endSession({ write }: Parts): Handler<typeof SessionServiceService.endSession> {
  return async ({ id }, context) => {
    const { id: accountId } = personCalling(context.caller);
    await write(context, [lock.tokenRemoval(id)], async (work) => {
      const ended = await work.maybeOne(sql<{ id: number }>`
        delete from access_token where id = ${id} and account_id = ${accountId} and kind = 'session' returning id`);
      if (ended === undefined) throw notFound('session not found');
      work.audit({ action: 'session.end', object: `session:${id}`, subjectIds: [accountId], details: { accountId } });
    });
    return {};
  };
}

/** GET /auth/session (open-points 18.3). */
export function getSession({ config, database }: Parts): Handler<typeof SessionServiceService.getSession> {
  return async (_request, { caller, deadline }) => {
    const { id, tokenId } = personCalling(caller);
    const user = await readUser(database, id, deadline);
    const token = await database.maybeOne(sql<{ via: string; expiresAt: Date | null }>`
      select via, expires_at as "expiresAt" from access_token where id = ${tokenId}`, { deadline });
    // The user, or the token or session of the call, was deleted after the call was admitted.
    if (user === undefined || token === undefined) throw invalidToken();
    return { user: toUser(user, caller, config), expiresAt: token.expiresAt ?? undefined, via: token.via || 'token' };
  };
}

/** Removes ended sessions, expired codes and team invitations, and old rows of `spent_state` and `sign_in_request`. */
export async function removeEnded(database: Database, deadline: Deadline): Promise<void> {
  await database.execute(sql`
    delete from access_token where id in (
      select id from access_token token
       where kind = 'session' and ${isOver(sql`token`)} order by id limit 1000 for update skip locked
    )`, { deadline });
  await database.execute(sql`delete from sign_in_code where expires_at <= ${laterClock()}`, { deadline });
  await database.execute(sql`delete from team_invitation where expires_at <= ${laterClock()}`, { deadline });
  // A sign-in at a provider must end within 10 minutes. So it is enough to keep its used `state` for an hour.
  await database.execute(sql`
    delete from spent_state where spent_at < ${laterClock()} - interval '1 hour'`, { deadline });
  // Keep requests for more than an hour. The limit on mails counts the requests of the last hour, and a sign-up link
  // works for an hour.
  await database.execute(sql`
    delete from sign_in_request where id in (
      select id from sign_in_request where created_at < ${laterClock()} - interval '2 hours'
       order by id limit 5000 for update skip locked
    )`, { deadline });
}
