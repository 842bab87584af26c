import { Fault } from '@platform/faults';
import { sql } from '@platform/postgres';
import type { MemberServiceService } from '@platform/proto/orgs/v1/member';
import type { Profile } from '@platform/proto/orgs/v1/user';
import type { Handler } from '@platform/rpc';
import { slugKey } from '@platform/values';
import type { Parts } from '../parts.ts';
import { shownEmail } from './shown-email.ts';

/**
 * GET /orgs/{orgname}/user/{username} (spec §4.13, open-points 3.3).
 * @throws Fault INVALID_VALUE for an unknown name, a user who may not sign in, or an organization; always with the same
 *   message
 */
export function getProfile({ config, database }: Parts): Handler<typeof MemberServiceService.getProfile> {
  return async ({ username }, { caller, deadline }) => {
    const key = slugKey(username);
    const row = key === undefined ? undefined : await database.maybeOne(sql<Profile & { id: number }>`
      select id, name, full_name as "fullName", email, keep_email_private as "keepEmailPrivate", website, location,
             language, description
        from account
       where lower(name collate "C") = ${key} and kind = 'person' and active and not prohibit_login`, { deadline });
    if (row === undefined) throw new Fault('INVALID_VALUE', 'there is no user with this name who may sign in');
    const { id: _id, ...profile } = row;
    return { ...profile, email: shownEmail(row, caller, config.mailDomain) };
  };
}
