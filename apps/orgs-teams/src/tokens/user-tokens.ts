import { notFound } from '@platform/faults';
import { byId, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { UserToken, UserTokenServiceService } from '@platform/proto/orgs/v1/user_token';
import type { AccountContext, Handler } from '@platform/rpc';
import { alreadyExists, controlCharacterProblem, lengthProblem, Violations } from '@platform/values';
import { notSelf } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { newToken, tokenDigest } from '../standing/access-token.ts';
import { lock } from '../write/locks.ts';
import { endOf, refuseMoreThanOwn, scopesOf } from './requested-token.ts';

type TokenRow = Omit<UserToken, 'sha1' | 'lastUsedAt' | 'expiresAt'> & {
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
};

const columns = sql`
  id, name, last_eight as "tokenLastEight", scopes, created_at as "createdAt", last_used_at as "lastUsedAt",
  expires_at as "expiresAt"`;

function toUserToken({ lastUsedAt, expiresAt, ...row }: TokenRow, sha1 = ''): UserToken {
  return { ...row, sha1, lastUsedAt: lastUsedAt ?? undefined, expiresAt: expiresAt ?? undefined };
}

/** Returns the id of the user in the path. @throws Fault NOT_FOUND for an organization */
function userOf({ account }: AccountContext): number {
  if (account.kind !== 'user') throw notFound('user not found');
  return account.id;
}

/** GET /users/{username}/tokens (open-points 18.1). */
export function listUserTokens({ config, database }: Parts): Handler<typeof UserTokenServiceService.listUserTokens> {
  return async (request, context) => {
    const id = userOf(context);
    const ofUser = sql`from access_token where account_id = ${id} and kind = 'token' and scope = ''`;
    const { items, total, next } = (await readPage<TokenRow>(database, {
      rows: sql`select ${columns} ${ofUser}`, order: byId, count: sql`select count(*) ${ofUser}`,
    }, pageOf(request, config), context.deadline))!;
    return { tokens: items.map((row) => toUserToken(row)), total, next };
  };
}

/** POST /users/{username}/tokens (open-points 18.1, 18.2). */
export function createUserToken({ config, write }: Parts): Handler<typeof UserTokenServiceService.createUserToken> {
  return async (request, context) => {
    const id = userOf(context);
    if (id !== context.caller.id) throw notSelf();
    const { name = '' } = request;
    const violations = new Violations();
    violations.note('name', lengthProblem(name, { least: 1, most: 100 }) ?? controlCharacterProblem(name));
    const scopes = scopesOf(violations, request.scopes);
    violations.refuse();
    const expiresAt = endOf(config, request.expiresAt);
    refuseMoreThanOwn(context.caller, scopes, expiresAt);
    const sha1 = newToken();
    const { hash, lastEight } = tokenDigest(config.tokenKey, sha1);
    return write(context, [lock.account(id)], async (work) => {
      const { taken } = await work.one(sql<{ taken: boolean }>`
        select exists (
          select from access_token where account_id = ${id} and kind = 'token' and scope = '' and name = ${name}
        ) as taken`);
      if (taken) throw alreadyExists(`there is already a token ${name}`);
      const row = await work.one(sql<TokenRow>`
        insert into access_token (account_id, account_kind, name, hash, last_eight, scopes, expires_at)
        values (${id}, 'person', ${name}, ${hash}::bytea, ${lastEight}, ${scopes}, ${expiresAt})
        returning ${columns}`);
      const details = { accountId: id, name, scopes };
      work.audit({ action: 'token.create', object: `token:${row.id}`, subjectIds: [id], details });
      return toUserToken(row, sha1);
    });
  };
}

/** DELETE /users/{username}/tokens/{token} (open-points 18.1). `token` is an id or a name. An id takes precedence. */
export function deleteUserToken({ database, write }: Parts): Handler<typeof UserTokenServiceService.deleteUserToken> {
  return async ({ tokenName }, context) => {
    const accountId = userOf(context);
    const asId = /^[1-9][0-9]{0,15}$/.test(tokenName) ? Number(tokenName) : 0;
    const found = await database.maybeOne(sql<{ id: number; name: string }>`
      select id, name from access_token
       where account_id = ${accountId} and kind = 'token' and scope = '' and (id = ${asId} or name = ${tokenName})
       order by (id = ${asId}) desc, id limit 1`, { deadline: context.deadline });
    if (found === undefined) throw notFound('token not found');
    const { id, name } = found;
    await write(context, [lock.tokenRemoval(id)], async (work) => {
      const deleted = await work.maybeOne(sql<{ id: number }>`
        delete from access_token where id = ${id} and account_id = ${accountId} returning id`);
      if (deleted === undefined) throw notFound('token not found');
      const details = { accountId, name };
      work.audit({ action: 'token.revoke', object: `token:${id}`, subjectIds: [accountId], details });
    });
    return {};
  };
}
