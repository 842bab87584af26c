import { type Queryable, sql } from '@platform/postgres';
import type { Parts } from '../parts.ts';
import { newToken, sessionDigest } from '../standing/access-token.ts';
import { isOver } from '../standing/clock.ts';
import type { Work } from '../write/write.ts';

interface SignIn {
  readonly accountId: number;
  readonly via: 'token' | 'mail' | 'oidc' | 'link';
  /** The token with which the session began. The session has the scopes of this token, and does not outlast it. */
  readonly sourceTokenId?: number;
  /** Value of the previous session in this browser. The new session replaces it. */
  readonly former: string | undefined;
  readonly userAgent: string | undefined;
  readonly address: string;
}

/** Maximum number of sessions of one person. A further session ends the least recently used session. */
const mostSessions = 100;

/**
 * Begins a session of an active person. Stores a hash of the session's value in place of the value (open-points 18.3).
 * @returns the value; undefined if the person may not sign in, or if the token of a sign-in by token does not exist or
 *   has ended
 */
export async function beginSession(
  { config }: Pick<Parts, 'config'>, work: Work, signIn: SignIn,
): Promise<string | undefined> {
  const { accountId, via, former, address } = signIn;
  const value = newToken();
  const { hash, lastEight } = sessionDigest(config.tokenKey, value);
  const begun = await work.maybeOne(sql<{ id: number; login: string }>`
    insert into access_token (
      account_id, account_kind, kind, name, hash, last_eight, scopes, source_token_id, idle_for, expires_at, via,
      user_agent, address
    )
    select account.id, account.kind, 'session', 'session', ${hash}::bytea, ${lastEight},
           coalesce(source.scopes, '{all}'), source.id, ${config.sessionIdle}::double precision * interval '1 ms',
           least(now() + ${config.sessionLongest}::double precision * interval '1 ms', source.expires_at), ${via},
           ${cut(signIn.userAgent ?? '', 255)}, ${address.slice(0, 64)}
      from account
      left join access_token source
        on source.id = ${signIn.sourceTokenId ?? null}::bigint and source.account_id = account.id
           and source.kind = 'token' and source.scope = ''
     where account.id = ${accountId} and account.kind = 'person' and account.active and not account.prohibit_login
       and (${via !== 'token'} or source.id is not null and not ${isOver(sql`source`)})
    returning id, (select name from account where id = ${accountId}) as "login"`);
  if (begun === undefined) return undefined;
  if (former !== undefined) await deleteSession(work, sessionDigest(config.tokenKey, former).hash);
  work.actAs({ id: accountId, login: begun.login });
  await work.execute(sql`update account set last_login_at = now() where id = ${accountId}`);
  await work.execute(sql`
    delete from access_token where id in (
      select id from access_token where account_id = ${accountId} and kind = 'session'
       order by coalesce(last_used_at, created_at) desc, id desc offset ${mostSessions}
    )`);
  const details = { accountId, via };
  work.audit({ action: 'session.begin', object: `session:${begun.id}`, subjectIds: [accountId], details });
  return value;
}

export function deleteSession(
  queryable: Queryable, hash: Buffer,
): Promise<{ readonly id: number; readonly accountId: number } | undefined> {
  return queryable.maybeOne(sql<{ id: number; accountId: number }>`
    delete from access_token where hash = ${hash}::bytea and kind = 'session'
    returning id, account_id as "accountId"`);
}

function cut(text: string, most: number): string {
  return [...text.replaceAll(/[\p{Cc}]+/gu, ' ').toWellFormed()].slice(0, most).join('');
}
