import { byId, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { AdminServiceService, OrganizationDetails } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { mostListed, named, namesBeginWith } from '../accounts/chosen-accounts.ts';
import type { Parts } from '../parts.ts';

/** `platform admin org list` and `show`. */
export function listOrganizations({ database }: Parts): Handler<typeof AdminServiceService.listOrganizations> {
  return async ({ name, q, after }, { deadline }) => {
    const chosen = sql`from account where kind = 'organization' and ${named(name)} and ${namesBeginWith(q)}`;
    const { items, next } = (await readPage<OrganizationDetails>(database, {
      rows: sql`select id ${chosen}`,
      order: byId,
      count: sql`select count(*) ${chosen}`,
      details: sql`
        select account.id, account.name, full_name as "fullName", visibility, created_at as "createdAt",
               array(
                 select owner.name
                   from team
                   join team_member member on member.team_id = team.id
                   join account owner on owner.id = member.user_id
                  where team.organization_id = account.id and team.is_owners
                  order by lower(owner.name collate "C")
               ) as owners,
               (select count(distinct user_id) from team_member where organization_id = account.id) as members,
               (select count(*) from team where organization_id = account.id) as teams
          from account
          join organization on organization.id = account.id
         where account.id = item.id`,
    }, pageOf({ after }, mostListed), deadline))!;
    return { organizations: [...items], next };
  };
}
