import { Fault } from '@platform/faults';
import { type Queryable, sql } from '@platform/postgres';
import type { AdminServiceService, Licensee } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { licenseeNameOf } from '@platform/values';
import { insertPerson } from '../accounts/people.ts';
import type { Parts } from '../parts.ts';

/**
 * Finds or creates the account for a licence that an agent registers (open-points 6.3). A new account gets its own id
 * instead of the account id in the licence, because the licence may come from another platform.
 */
export function putLicensee({ config, database, write }: Parts): Handler<typeof AdminServiceService.putLicensee> {
  return async ({ accountId = 0 }, context) => {
    const name = licenseeNameOf(accountId);
    const found = await findLicensee(database, accountId, name);
    if (found !== undefined) return found;
    try {
      return await write(context, [], async (work) => {
        const { id } = await insertPerson(work, {
          name, email: `${name}@noreply.${config.mailDomain}`, fullName: '', isAdmin: false, active: false,
          prohibitLogin: true, mayCreateOrganization: false,
        });
        work.audit({ action: 'user.create', object: `user:${id}`, details: { name, licensed: accountId } });
        return { id, name, organization: false };
      });
    } catch (error) {
      // With ALREADY_EXISTS, a concurrent registration has created the account.
      if (!(error instanceof Fault) || error.reason !== 'ALREADY_EXISTS') throw error;
      return (await findLicensee(database, accountId, name))!;
    }
  };
}

function findLicensee(queryable: Queryable, id: number, name: string): Promise<Licensee | undefined> {
  return queryable.maybeOne(sql<Licensee>`
    select id, name, kind = 'organization' as "organization" from account
     where kind <> 'system_admin' and (id = ${id} or kind = 'person' and lower(name collate "C") = ${name})
     order by id = ${id} desc limit 1`);
}
