import { byId, type Listed, type Page, pageOf, readPage } from '@platform/lists';
import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { namesBeginWith } from '../accounts/chosen-accounts.ts';
import type { Parts } from '../parts.ts';
import { toUser, type UserRow } from './convert.ts';

/** The users to list: a query of their ids, and a query of their number. */
interface ChosenMembers {
  /** Selects `id`. */
  readonly ids: Fragment;
  readonly count: Fragment;
}

export const members = {
  all: (organizationId: number): ChosenMembers => ({
    ids: sql`select distinct user_id as id from team_member where organization_id = ${organizationId}`,
    count: sql`select count(distinct user_id) from team_member where organization_id = ${organizationId}`,
  }),
  shown: (organizationId: number): ChosenMembers => ({
    ids: sql`select user_id as id from public_membership where organization_id = ${organizationId}`,
    count: sql`select count(*) from public_membership where organization_id = ${organizationId}`,
  }),
  ofTeam: (teamId: number): ChosenMembers => ({
    ids: sql`select user_id as id from team_member where team_id = ${teamId}`,
    count: sql`select count(*) from team_member where team_id = ${teamId}`,
  }),
  /** The users who own an account: the owners of an organization, or the user itself. */
  owning: (accountId: number): ChosenMembers => {
    const ids = sql`
      select member.user_id as id
        from team_member member
        join team on team.id = member.team_id and team.is_owners
       where member.organization_id = ${accountId}
       union
      select id from account where id = ${accountId} and kind = 'person'`;
    return { ids, count: sql`select count(*) from (${ids}) owner` };
  },
} as const;

const columnsIn = (organizationId: number): Fragment => sql`
  account.id, account.name, account.full_name as "fullName", account.email,
  account.keep_email_private as "keepEmailPrivate", account.avatar, account.language, account.is_admin as "isAdmin",
  account.last_login_at as "lastLoginAt", account.created_at as "createdAt", account.active,
  account.prohibit_login as "prohibitLogin", account.location, account.website, account.description,
  exists (
    select from team_member owner
      join team on team.id = owner.team_id and team.is_owners
     where owner.user_id = account.id and owner.organization_id = ${organizationId}
  ) as "orgAdmin",
  exists (
    select from team_member membership
      join organization client on client.id = membership.organization_id and client.org_type = 2
     where membership.user_id = account.id
  ) as "clientOrgUser"`;

/** Reads a page of users by ascending id. First selects the ids of the page, then reads these accounts. */
export async function readUsers(
  queryable: Queryable, { ids, count }: ChosenMembers, organizationId: number, page: Page, deadline: Deadline,
): Promise<Listed<UserRow>> {
  const details = sql`select ${columnsIn(organizationId)} from account where account.id = item.id`;
  return (await readPage<UserRow>(queryable, { rows: ids, order: byId, count, details }, page, deadline))!;
}

/** Finds a member of a team; undefined if there is none. @param key the name of the member, converted by `slugKey` */
export async function findTeamMember(
  queryable: Queryable, { organizationId, teamId, key }: { organizationId: number; teamId: number; key: string },
  deadline: Deadline,
): Promise<UserRow | undefined> {
  return queryable.maybeOne(sql<UserRow>`
    select ${columnsIn(organizationId)}
      from account
     where lower(account.name collate "C") = ${key}
       and exists (select from team_member where team_id = ${teamId} and user_id = account.id)`, { deadline });
}

export async function readUser(queryable: Queryable, id: number, deadline: Deadline): Promise<UserRow | undefined> {
  return queryable.maybeOne(sql<UserRow>`
    select ${columnsIn(0)} from account where account.id = ${id} and account.kind = 'person'`, { deadline });
}

/**
 * Returns up to `most` users who may sign in, by ascending login. Finds users whose login or full name begins with
 * `beginning`, ignoring case.
 */
export async function findUsers(
  queryable: Queryable, beginning: string, most: number, deadline: Deadline,
): Promise<readonly UserRow[]> {
  return queryable.query(sql<UserRow>`
    select ${columnsIn(0)}
      from account
     where account.kind = 'person' and account.active and not account.prohibit_login and ${namesBeginWith(beginning)}
     order by lower(account.name collate "C")
     limit ${most}`, { deadline });
}

/** Returns the users who own an account, for the other services. */
export function listOwners({ config, database }: Parts): Handler<typeof AdminServiceService.listOwners> {
  return async ({ accountId, viewerId, viewerIsAdmin, after }, { deadline }) => {
    const page = pageOf({ after }, { largestUnpaged: 1_000 });
    const { items, next } = await readUsers(database, members.owning(accountId), accountId, page, deadline);
    const viewer = { id: viewerId, isAdmin: viewerIsAdmin };
    return { users: items.map((row) => toUser(row, viewer, config)), next };
  };
}
