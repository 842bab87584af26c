import { orderBy, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { Caller } from '@platform/proto/orgs/v1/identity';
import type { UserServiceService, UserSettings } from '@platform/proto/orgs/v1/user';
import type { Handler } from '@platform/rpc';
import {
  changedFields, controlCharacterProblem, fullNameProblem, invalidParameter, lengthOf, lengthProblem, Violations,
  webAddressProblem,
} from '@platform/values';
import { toOrganization } from '../accounts/convert.ts';
import { organizationColumns, type OrganizationRow } from '../accounts/read-organization.ts';
import { invalidToken, peopleOnly } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { toUser } from './convert.ts';
import { findUsers, readUser } from './reports.ts';

/** Returns the caller, who must be a user. @throws Fault FORBIDDEN for the token of an organization */
export function personCalling(caller: Caller): Caller {
  if (caller.systemAdminOf !== 0) throw peopleOnly();
  return caller;
}

/** GET /user (open-points 18.1). */
export function getUser({ config, database }: Parts): Handler<typeof UserServiceService.getUser> {
  return async (_request, { caller, deadline }) => {
    const row = await readUser(database, personCalling(caller).id, deadline);
    // The user was deleted after the call was admitted.
    if (row === undefined) throw invalidToken();
    return toUser(row, caller, config);
  };
}

type Settings = Required<Omit<UserSettings, '$type'>>;

/** PATCH /user/settings (open-points 18.1). */
export function updateUserSettings({ write }: Parts): Handler<typeof UserServiceService.updateUserSettings> {
  return async (request, context) => {
    const { id } = personCalling(context.caller);
    refuseInvalid(request);
    return write(context, [lock.account(id)], async (work) => {
      const before = await work.one(sql<Settings>`
        select full_name as "fullName", website, location, description, language, keep_email_private as "hideEmail"
          from account where id = ${id}`);
      const {
        fullName = before.fullName, website = before.website, location = before.location,
        description = before.description, language = before.language, hideEmail = before.hideEmail,
      } = request;
      const after: Settings = { fullName, website, location, description, language, hideEmail };
      const details = changedFields(before, after);
      if (details !== undefined) {
        await work.execute(sql`
          update account
             set full_name = ${fullName}, website = ${website}, location = ${location},
                 description = ${description}, language = ${language},
                 keep_email_private = ${hideEmail}, updated_at = now()
           where id = ${id}`);
        work.audit({ action: 'user.update', object: `user:${id}`, details });
      }
      return after;
    });
  };
}

function refuseInvalid({
  fullName = '', website = '', location = '', description = '', language = '',
}: UserSettings): void {
  const violations = new Violations();
  violations.note('full_name', fullNameProblem(fullName));
  violations.note('website', webAddressProblem(website, ['http', 'https']));
  violations.note('location', lengthProblem(location, { most: 50 }) ?? controlCharacterProblem(location));
  violations.note('description', lengthProblem(description, { most: 255 }));
  if (language !== '' && !/^(?=.{2,35}$)[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(language)) {
    violations.note('language', 'must be empty, or a language tag such as en or en-GB');
  }
  violations.refuse();
}

const byName = orderBy({ column: 'key', kind: 'text' });

/** GET /user/orgs (open-points 18.1). */
export function listUserOrganizations(
  { config, database }: Parts,
): Handler<typeof UserServiceService.listUserOrganizations> {
  return async (request, { caller, deadline }) => {
    const { id } = personCalling(caller);
    const { items, total, next } = (await readPage<OrganizationRow>(database, {
      rows: sql`
        select ${organizationColumns}, lower(account.name collate "C") as key
          from organization
          join account on account.id = organization.id
         where organization.id in (select organization_id from team_member where user_id = ${id})`,
      order: byName,
      count: sql`select count(distinct organization_id) from team_member where user_id = ${id}`,
    }, pageOf(request, config), deadline))!;
    return { organizations: items.map((row) => toOrganization(row, config.baseUrl)), total, next };
  };
}

const [leastCharacters, mostFound] = [2, 50];

/** GET /users/search (open-points 18.1). E-mail addresses are never searched. */
export function searchUsers({ config, database }: Parts): Handler<typeof UserServiceService.searchUsers> {
  return async ({ q = '' }, { caller, deadline }) => {
    if (lengthOf(q) < leastCharacters || lengthOf(q) > 100) {
      throw invalidParameter('q', `must have ${leastCharacters} to 100 characters`);
    }
    const rows = await findUsers(database, q, mostFound, deadline);
    return { ok: true, data: rows.map((row) => toUser(row, caller, config)) };
  };
}
