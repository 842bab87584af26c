import { byId, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { mostListed, named, namesBeginWith } from '../accounts/chosen-accounts.ts';
import { personColumns, type PersonRow } from '../accounts/people.ts';
import type { Parts } from '../parts.ts';
import { toAdminUser } from './convert.ts';

interface UserDetailsRow extends PersonRow {
  readonly createdAt: Date;
  readonly lastLoginAt: Date | null;
  readonly organizations: readonly string[];
  readonly issuers: readonly string[];
}

const belongings = sql`
  created_at as "createdAt", last_login_at as "lastLoginAt",
  array(
    select name from account organization
     where id in (select organization_id from team_member where user_id = account.id)
     order by lower(name collate "C")
  ) as organizations,
  array(select issuer from identity where account_id = account.id order by issuer) as issuers`;

/** `platform admin user list` and `show`. */
export function listUsers({ database }: Parts): Handler<typeof AdminServiceService.listUsers> {
  return async ({ username, q, active, admin, after }, { deadline }) => {
    const chosen = sql`
      from account
     where kind = 'person' and ${named(username)} and ${namesBeginWith(q)}
       and ${active === undefined ? sql`true` : sql`active = ${active}`}
       and ${admin === undefined ? sql`true` : sql`is_admin = ${admin}`}`;
    const { items, next } = (await readPage<UserDetailsRow>(database, {
      rows: sql`select id ${chosen}`,
      order: byId,
      count: sql`select count(*) ${chosen}`,
      details: sql`select ${personColumns}, ${belongings} from account where account.id = item.id`,
    }, pageOf({ after }, mostListed), deadline))!;
    const users = items.map(({ createdAt, lastLoginAt, organizations, issuers, ...row }) => ({
      user: toAdminUser(row), createdAt, lastLoginAt: lastLoginAt ?? undefined, organizations: [...organizations],
      issuers: [...issuers],
    }));
    return { users, next };
  };
}
