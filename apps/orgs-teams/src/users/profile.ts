import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** A profile, before anything is masked (spec §2.2). */
export interface ProfileRow {
  readonly id: number;
  readonly name: string;
  readonly fullName: string;
  readonly email: string;
  readonly keepEmailPrivate: boolean;
  readonly website: string;
  readonly location: string;
  readonly language: string;
  readonly description: string;
}

/** Of a user who can sign in, by name as `slugKey` makes it; undefined for everybody and everything else. */
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
