import { notFound } from '@platform/faults';
import { byId, pageOf, readPage } from '@platform/lists';
import { type Queryable, sql } from '@platform/postgres';
import type { SiteAdminServiceService } from '@platform/proto/orgs/v1/site_admin';
import type { User } from '@platform/proto/orgs/v1/user';
import { type CallerContext, type Handler, refuseNarrowToken } from '@platform/rpc';
import { namesBeginWith } from '../accounts/chosen-accounts.ts';
import { toOrganization } from '../accounts/convert.ts';
import { organizationColumns, type OrganizationRow } from '../accounts/read-organization.ts';
import type { Parts } from '../parts.ts';
import { toUser } from './convert.ts';
import { makeUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { readUser, readUsers } from './reports.ts';
import { updateUser } from './update-user.ts';

/** GET /admin/users (open-points 18.5). */
export function listSiteUsers({ config, database }: Parts): Handler<typeof SiteAdminServiceService.listSiteUsers> {
  return async (request, { caller, deadline }) => {
    const { q, active, admin } = request;
    const chosen = sql`
      from account
     where kind = 'person' and ${namesBeginWith(q)}
       and ${active === undefined ? sql`true` : sql`active = ${active}`}
       and ${admin === undefined ? sql`true` : sql`is_admin = ${admin}`}`;
    const ids = { ids: sql`select id ${chosen}`, count: sql`select count(*) ${chosen}` };
    const { items, total, next } = await readUsers(database, ids, 0, pageOf(request, config), deadline);
    return { users: items.map((row) => toUser(row, caller, config)), total, next };
  };
}

/**
 * POST /admin/users (open-points 18.5). A token without `all` cannot create a site admin, because a site admin who
 * signs in has every scope.
 */
export function addSiteUser(parts: Parts): Handler<typeof SiteAdminServiceService.addSiteUser> {
  const make = makeUser(parts);
  return async (request, context) => {
    const { username, email, fullName = '', admin = false, active = true, prohibitLogin = false } = request;
    if (admin) refuseNarrowToken(context.caller);
    const noCreateOrganization = request.allowCreateOrganization === false;
    return make(
      { username, email, fullName, admin, inactive: !active, prohibitLogin, noCreateOrganization }, context,
      (work, { id }) => shownUser(parts, work, id, context),
    );
  };
}

/**
 * PATCH /admin/users/{username} (open-points 18.5). To change the e-mail address or the site admin flag of a user, a
 * token needs the scope `all`: sign-in links are sent to this address, and a sign-in with a link gives every scope.
 */
export function changeSiteUser(parts: Parts): Handler<typeof SiteAdminServiceService.changeSiteUser> {
  const update = updateUser(parts);
  return async ({ allowCreateOrganization: mayCreateOrganization, ...request }, context) => {
    if (request.email !== undefined || request.admin !== undefined) refuseNarrowToken(context.caller);
    const { id } = await update({ ...request, mayCreateOrganization }, context);
    return shownUser(parts, parts.database, id, context);
  };
}

/** DELETE /admin/users/{username} (open-points 18.5). */
export function removeSiteUser(parts: Parts): Handler<typeof SiteAdminServiceService.removeSiteUser> {
  const remove = deleteUser(parts);
  return async ({ username, leaveOrganizations = false }, context) => remove({ username, leaveOrganizations }, context);
}

async function shownUser(
  { config }: Parts, queryable: Queryable, id: number, { caller, deadline }: CallerContext,
): Promise<User> {
  const row = await readUser(queryable, id, deadline);
  // The user was deleted after the change.
  if (row === undefined) throw notFound('user not found');
  return toUser(row, caller, config);
}

/** GET /admin/orgs (open-points 18.5). */
export function listSiteOrganizations(
  { config, database }: Parts,
): Handler<typeof SiteAdminServiceService.listSiteOrganizations> {
  return async (request, { deadline }) => {
    const chosen = sql`
      from organization
      join account on account.id = organization.id
     where ${namesBeginWith(request.q)}`;
    const { items, total, next } = (await readPage<OrganizationRow>(database, {
      rows: sql`select ${organizationColumns} ${chosen}`, order: byId, count: sql`select count(*) ${chosen}`,
    }, pageOf(request, config), deadline))!;
    return { organizations: items.map((row) => toOrganization(row, config.baseUrl)), total, next };
  };
}
