import { notFound } from '@platform/faults';
import { byId, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { AdminServiceService, ListTokensRequest, TokenDetails } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { Violations } from '@platform/values';
import { mostListed } from '../accounts/chosen-accounts.ts';
import type { Parts } from '../parts.ts';
import { findTokenHolder } from './token-holder.ts';

type TokenRow = Omit<TokenDetails, 'lastUsedAt' | 'expiresAt'> & {
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
};

/** `platform admin token list` and `show`. */
export function listTokens({ database }: Parts): Handler<typeof AdminServiceService.listTokens> {
  return async (request, { deadline }) => {
    const { id, after } = request;
    const holder = await holderOf(database, request);
    const chosen = sql`
      from access_token token
     where kind = 'token'
       and ${id === undefined ? sql`true` : sql`id = ${id}`}
       and ${holder === undefined ? sql`true` : sql`account_id = ${holder}`}`;
    const { items, next } = (await readPage<TokenRow>(database, {
      rows: sql`select token.* ${chosen}`,
      order: byId,
      count: sql`select count(*) ${chosen}`,
      details: sql`
        select item.id, account.name as account, account.kind = 'organization' as organization, item.name,
               item.last_eight as "lastEight", item.scopes, item.created_at as "createdAt",
               item.last_used_at as "lastUsedAt", item.expires_at as "expiresAt", item.scope as "madeFor"
          from account holder
          join account on account.id = coalesce(holder.system_admin_of, holder.id)
         where holder.id = item.account_id`,
    }, pageOf({ after }, mostListed), deadline))!;
    const tokens = items.map(({ lastUsedAt, expiresAt, ...row }) => ({
      ...row, lastUsedAt: lastUsedAt ?? undefined, expiresAt: expiresAt ?? undefined,
    }));
    return { tokens, next };
  };
}

/** Id of the account whose tokens are listed; undefined: all accounts. @throws Fault NOT_FOUND, VALIDATION_FAILED */
async function holderOf(
  database: Parts['database'], { user, organization }: ListTokensRequest,
): Promise<number | undefined> {
  const violations = new Violations();
  if (user !== undefined && organization !== undefined) violations.note('user', 'must not be given with organization');
  violations.refuse();
  const [kind, name] = user === undefined ? (['organization', organization] as const) : (['person', user] as const);
  if (name === undefined) return undefined;
  const holder = await findTokenHolder(database, kind, name);
  if (holder === undefined) throw notFound(`there is no ${user === undefined ? 'organization' : 'user'} ${name}`);
  return holder.accountId;
}
