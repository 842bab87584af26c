import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { Principal } from '@platform/proto/orgs/v1/identity';
import type { Deadline } from '@platform/service';
import type { OrganizationRow } from '../accounts/read-organization.ts';
import type { Visibility } from '../accounts/visibility.ts';
import type { RightsRow } from './account-rights.ts';
import { isOver, laterClock } from './clock.ts';
import { lastUsedIsOld } from './last-used.ts';
import { principalsOf } from './principals.ts';

export interface CallerRow {
  readonly id: number;
  readonly name: string;
  readonly kind: 'person' | 'system_admin';
  readonly isAdmin: boolean;
  readonly active: boolean;
  readonly prohibitLogin: boolean;
  readonly systemAdminOf: number | null;
  readonly tokenId: number;
  readonly tokenExpired: boolean;
  readonly tokenClusterId: string | null;
  /** Slot of a token that is bound to a scope (`PutScopedToken`). Empty for any other token. */
  readonly tokenSlot: string;
  /** What the token may do (open-points 18.2). */
  readonly scopes: readonly string[];
  /** Time at which the token expires, in Unix milliseconds; null: never. */
  readonly tokenEndsAt: number | null;
  /** Whether the row shows no use of the token within the last 30 s. */
  readonly lastUsedIsOld: boolean;
  /**
   * How long this row may be kept in memory, in milliseconds. The row is kept until the token expires, or until the
   * time of the token's last use must be written again, whichever is first.
   */
  readonly keepMs: number;
  /** Null if the request asks for no right. */
  readonly rights: RightsRow | null;
}

/** A requested account, and the caller's principals in it. */
export interface AskedRow {
  readonly id: number;
  readonly name: string;
  readonly kind: 'person' | 'organization';
  /** Null for a person. */
  readonly visibility: Visibility | null;
  readonly administrative: boolean;
  readonly principals: readonly Principal[];
  /** The row of the organization, so that handlers need not read it again. Null for a person. */
  readonly organization: OrganizationRow | null;
}

interface StandingQuestion {
  /** Keyed hash of the caller's token; undefined for an anonymous caller. */
  readonly tokenHash: Buffer | undefined;
  /** Tokens that are bound to this scope are accepted too. Empty: no bound token is accepted. */
  readonly scope: string;
  /** Names of the requested accounts, in the form that `slugKey` returns. */
  readonly slugKeys: readonly string[];
  readonly accountIds: readonly number[];
  readonly asksRight: boolean;
  /** Whether to include the organization whose system admin the caller is. */
  readonly asksOwnOrganization: boolean;
}

/**
 * Reads the caller and the requested accounts in one statement (authorization.md R1). The caller is undefined without a
 * token, for an unknown token, and for a token that is bound to another scope.
 */
export async function readStanding(
  database: Queryable,
  { tokenHash, scope, slugKeys, accountIds, asksRight, asksOwnOrganization }: StandingQuestion,
  deadline: Deadline,
): Promise<{ readonly caller: CallerRow | undefined; readonly asked: readonly AskedRow[] }> {
  const { caller, asked } = await database.one(sql<{ caller: CallerRow | null; asked: AskedRow[] }>`
    with caller as materialized (
      select account.*, token.id as token_id, token.last_used_at, ${keepsFor()} as keep_ms, token.cluster_id as token_cluster_id,
             token.slot as token_slot, token.scopes as token_scopes, token.expires_at as token_expires_at,
             ${isOver(sql`token`)} as token_expired
        from access_token token
        join account on account.id = token.account_id
       where token.hash = ${tokenHash ?? null}::bytea and token.scope in ('', ${scope})
    )
    select
      (select json_build_object(
                'id', caller.id, 'name', caller.name, 'kind', caller.kind, 'isAdmin', caller.is_admin,
                'active', caller.active, 'prohibitLogin', caller.prohibit_login,
                'systemAdminOf', caller.system_admin_of, 'tokenId', caller.token_id,
                'tokenExpired', caller.token_expired, 'tokenClusterId', caller.token_cluster_id,
                'tokenSlot', caller.token_slot, 'scopes', caller.token_scopes,
                'tokenEndsAt', floor(extract(epoch from caller.token_expires_at) * 1000),
                'lastUsedIsOld', ${lastUsedIsOld(sql`caller.last_used_at`)}, 'keepMs', caller.keep_ms,
                'rights', ${asksRight ? rights : noRights}
              )
         from caller) as caller,
      (select coalesce(json_agg(json_build_object(
                'id', asked.id, 'name', asked.name, 'kind', asked.kind, 'visibility', organization.visibility,
                'administrative', coalesce(organization.org_type = 6, false),
                'principals', ${principals},
                'organization', case when asked.kind = 'organization' then json_build_object(
                  'id', asked.id, 'name', asked.name, 'fullName', asked.full_name, 'avatar', asked.avatar,
                  'description', asked.description, 'website', asked.website, 'location', asked.location,
                  'managerEndpoint', organization.manager_endpoint, 'visibility', organization.visibility,
                  'orgType', organization.org_type
                ) end
              )), '[]')
         from account asked
         left join lateral (
           -- The limit makes the planner use an index look-up for each account on a site of any size.
           select visibility, org_type, manager_endpoint from organization where organization.id = asked.id limit 1
         ) organization on true
         left join caller on true
        where ${isAsked(slugKeys, accountIds, asksOwnOrganization)} and asked.kind <> 'system_admin') as asked`,
  { deadline });
  return { caller: caller ?? undefined, asked };
}

const principals = principalsOf(sql`caller`, sql`asked`);
const rights = rightsOf(sql`caller`);
const noRights = sql`null`;

/** SQL expression for {@link CallerRow.keepMs}. */
function keepsFor(): Fragment {
  return sql`greatest(0, floor(1000 * extract(epoch from least(
    case when ${lastUsedIsOld(sql`token.last_used_at`)} then interval '30 s'
         else token.last_used_at + interval '30 s' - now() end,
    token.expires_at - ${laterClock()},
    coalesce(token.last_used_at, token.created_at) + token.idle_for - ${laterClock()}
  ))))`;
}

/**
 * SQL condition that selects the requested accounts, by name or by id. Contains only the parts that the request needs.
 * With an unneeded part, PostgreSQL might read the whole table.
 */
function isAsked(slugKeys: readonly string[], accountIds: readonly number[], own: boolean): Fragment {
  const byName = sql`lower(asked.name collate "C") = any (${slugKeys}::text[])`;
  const byId = own
    ? sql`asked.id = any (${accountIds}::bigint[] || (select system_admin_of from caller))`
    : sql`asked.id = any (${accountIds}::bigint[])`;
  if (accountIds.length === 0 && !own) return byName;
  return slugKeys.length === 0 ? byId : sql`(${byName} or ${byId})`;
}

/** SQL expression for a `RightsRow` as JSON. @param account the row of the account */
export function rightsOf(account: Fragment): Fragment {
  return sql`json_build_object(
    'kind', ${account}.kind, 'isAdmin', ${account}.is_admin,
    'mayCreateOrganization', ${account}.allow_create_organization,
    'isClientOrganizationUser', exists (
      select from team_member membership
        join organization client on client.id = membership.organization_id and client.org_type = 2
       where membership.user_id = ${account}.id
    )
  )`;
}
