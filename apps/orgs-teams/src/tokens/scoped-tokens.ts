import { notFound } from '@platform/faults';
import type { AdminServiceService, PutScopedTokenRequest } from '@platform/proto/orgs/v1/admin';
import { sql } from '@platform/postgres';
import type { Handler } from '@platform/rpc';
import { lengthProblem, Violations } from '@platform/values';
import type { Parts } from '../parts.ts';
import { hasTokenForm, tokenDigest } from '../standing/access-token.ts';
import { lock } from '../write/locks.ts';
import type { DeletedToken } from './store.ts';
import type { TokenHolder } from './token-holder.ts';

/**
 * Stores a token that is bound to a scope (open-points 9.1). Only methods that name this scope accept the token. The
 * token replaces the previous token with the same scope and slot. The caller chooses the token, so a repeated call
 * changes nothing.
 */
export function putScopedToken({ config, database, write }: Parts): Handler<typeof AdminServiceService.putScopedToken> {
  return async (request, context) => {
    refuseInvalid(request);
    const { accountId = 0, scope = '', slot = '', name = '', token = '', expiresInSeconds } = request;
    // The token belongs to the user, or to the hidden system admin of the organization.
    const holder = await database.maybeOne(sql<TokenHolder>`
      select id as "accountId", kind as "accountKind", system_admin_of as "organizationId"
        from account
       where (id = ${accountId} and kind = 'person') or system_admin_of = ${accountId}`);
    if (holder === undefined) throw notFound(`there is no account ${accountId}`);
    const { hash, lastEight } = tokenDigest(config.tokenKey, token);
    const id = await write(context, [lock.permission(accountId), lock.permission(holder.accountId)], async (work) => {
      const known = await work.maybeOne(sql<{ id: number; hash: Buffer }>`
        select id, hash from access_token where scope = ${scope} and slot = ${slot} and scope <> '' for no key update`);
      if (known !== undefined && known.hash.equals(hash)) return known.id;
      await work.execute(sql`delete from access_token where scope = ${scope} and slot = ${slot} and scope <> ''`);
      const put = await work.maybeOne(sql<{ id: number }>`
        insert into access_token (account_id, account_kind, name, hash, last_eight, scope, slot, expires_at)
        select id, kind, ${name}, ${hash}::bytea, ${lastEight}, ${scope}, ${slot},
               now() + ${expiresInSeconds}::double precision * interval '1 s'
          from account
         where id = ${holder.accountId} and kind = ${holder.accountKind}
        returning id`);
      if (put === undefined) throw notFound(`there is no account ${accountId}`);
      work.audit({
        action: 'token.create', object: `token:${put.id}`,
        ...(holder.organizationId === null ? {} : { organizationId: holder.organizationId }),
        subjectIds: [holder.accountId], details: { accountId: holder.accountId, name, scope, slot, expiresInSeconds },
      });
      return put.id;
    });
    return { id };
  };
}

/** Revokes the tokens that are bound to a scope and have one of the given slots. */
export function revokeScopedTokens({ write }: Parts): Handler<typeof AdminServiceService.revokeScopedTokens> {
  return async ({ scope = '', slots }, context) => {
    const revoked = await write(context, [], async (work) => {
      const deleted = await work.query(sql<Omit<DeletedToken, 'account'>>`
        delete from access_token token
         using account
         where token.scope = ${scope} and token.scope <> '' and token.slot = any (${slots})
           and account.id = token.account_id
        returning token.id, account.id as "accountId", token.name, account.system_admin_of as "organizationId"`);
      work.audit(...deleted.map(({ id, accountId, name, organizationId }) => ({
        action: 'token.revoke', object: `token:${id}`, ...(organizationId === null ? {} : { organizationId }),
        subjectIds: [accountId], details: { accountId, name, scope },
      })));
      return deleted.length;
    });
    return { revoked };
  };
}

function refuseInvalid(
  { scope = '', slot = '', name = '', token = '', expiresInSeconds }: PutScopedTokenRequest,
): void {
  const violations = new Violations();
  violations.note('scope', lengthProblem(scope, { least: 1, most: 200 }));
  violations.note('slot', lengthProblem(slot, { least: 1, most: 50 }));
  violations.note('name', lengthProblem(name, { least: 1, most: 100 }));
  if (!hasTokenForm(token)) violations.note('token', 'must have 40 lower-case hexadecimal characters');
  if (expiresInSeconds < 1) violations.note('expiresInSeconds', 'must be at least 1');
  violations.refuse();
}
