import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { TokenDigest } from '../standing/access-token.ts';

interface NewToken extends TokenDigest {
  readonly accountId: number;
  readonly accountKind: 'person' | 'system_admin';
  readonly name: string;
  /** When the token expires: a time, or a number of seconds from now; null if the token never expires. */
  readonly end: Date | number | null;
  readonly scopes: readonly string[];
  /** UUID of the cluster for which the token is created; null if there is none. */
  readonly clusterId: string | null;
  /** UUID of the request that creates the token. */
  readonly request?: string | undefined;
}

/** Stores the digest of a token; returns the id of the token, or undefined when the account is gone. */
export async function insertToken(queryable: Queryable, token: NewToken): Promise<number | undefined> {
  const { end } = token;
  const expiresAt = typeof end === 'number'
    ? sql`now() + ${end}::double precision * interval '1 s'` : sql`${end}::timestamptz`;
  const inserted = await queryable.maybeOne(sql<{ id: number }>`
    insert into access_token (account_id, account_kind, name, hash, last_eight, scopes, cluster_id, request, expires_at)
    select id, kind, ${token.name}, ${token.hash}::bytea, ${token.lastEight}, ${token.scopes}, ${token.clusterId}::uuid,
           ${token.request ?? null}::uuid, ${expiresAt}
      from account
     where id = ${token.accountId} and kind = ${token.accountKind}
    returning id`);
  return inserted?.id;
}

export interface DeletedToken {
  readonly id: number;
  readonly accountId: number;
  readonly account: string;
  readonly name: string;
  readonly organizationId: number | null;
}

/** Deletes a token; returns undefined when there was no such token. */
export async function deleteToken(queryable: Queryable, id: number): Promise<DeletedToken | undefined> {
  return (await deleteTokens(queryable, sql`token.id = ${id}`))[0];
}

/** Deletes the token that an earlier attempt of the same request created. */
export function deleteTokenOfRequest(queryable: Queryable, request: string): Promise<DeletedToken[]> {
  return deleteTokens(queryable, sql`token.request = ${request}::uuid`);
}

function deleteTokens(queryable: Queryable, which: Fragment): Promise<DeletedToken[]> {
  return queryable.query(sql<DeletedToken>`
    delete from access_token token
     using account
     where ${which} and account.id = token.account_id
    returning token.id, account.id as "accountId", account.name as "account", token.name as "name",
              account.system_admin_of as "organizationId"`);
}

export async function deleteTokenOf(
  queryable: Queryable, accountId: number, id: number,
): Promise<{ readonly name: string } | undefined> {
  return queryable.maybeOne(sql<{ name: string }>`
    delete from access_token where id = ${id} and account_id = ${accountId} returning name`);
}
