import { Fault } from '@platform/faults';
import { type Queryable, sql } from '@platform/postgres';
import type { MemberServiceService } from '@platform/proto/orgs/v1/member';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { slugKey } from '@platform/values';
import type { Parts } from '../parts.ts';
import { type ProfileRow, toProfile } from './convert.ts';

/** The profile of a user who can sign in, by name in the form `slugKey` returns; undefined for every other name. */
export async function readProfile(
  queryable: Queryable,
  key: string,
  deadline: Deadline,
): Promise<ProfileRow | undefined> {
  return queryable.maybeOne(
    sql<ProfileRow>`
      select id, name, full_name as "fullName", email, keep_email_private as "keepEmailPrivate", website, location,
             language, description
        from account
       where lower(name collate "C") = ${key} and kind = 'person' and active and not prohibit_login`,
    { deadline },
  );
}

/**
 * GET /orgs/{orgname}/user/{username} (spec §4.13, open-points 3.3). Every name without a profile gets the same
 * refusal.
 */
export function getProfile({ config, database }: Parts): Handler<typeof MemberServiceService.getProfile> {
  return async ({ username }, { caller, deadline }) => {
    const key = slugKey(username);
    const row = key === undefined ? undefined : await readProfile(database, key, deadline);
    if (row === undefined) throw new Fault('INVALID_VALUE', 'there is no active user of this name');
    return toProfile(row, caller, config);
  };
}
