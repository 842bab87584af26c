import { type Database, sql, type Transaction } from '@platform/postgres';
import type { Logger } from '@platform/service';
import { wholeScope } from '@platform/surface';
import { slugProblem } from '@platform/values';
import { type Actor, insertAudit } from '@platform/writes';
import { type Administration, findAdministration } from './accounts/administration.ts';
import { insertMember } from './accounts/members.ts';
import { insertOrganization } from './accounts/organizations.ts';
import { insertPerson } from './accounts/people.ts';
import { organizationTypes } from './accounts/visibility.ts';
import type { Config } from './config.ts';
import { tokenDigest } from './standing/access-token.ts';
import { insertToken } from './tokens/store.ts';

const firstAdminName = 'platform-admin';

const actor: Actor = { accountId: null, name: 'platform', requestId: 'first-start' };

/**
 * Creates the administrative organization if there is none, and a site admin if there is none (open-points 1.10). Only
 * one replica at a time does this.
 */
export async function prepareFirstStart(database: Database, config: Config, log: Logger): Promise<void> {
  await database.transact(async (transaction) => {
    await transaction.query(sql`select pg_advisory_xact_lock(hashtextextended('orgs-teams.first-start', 0))`);
    const found = await findAdministration(transaction);
    const { organizationId, ownersTeamId } = found ?? (await createAdministration(transaction, config, log));
    const { admins } = await transaction.one(sql<{ admins: number }>`
      select count(*) as "admins" from account where is_admin`);
    if (admins > 0) return;
    const admin = await insertPerson(transaction, {
      name: firstAdminName, email: `${firstAdminName}@localhost`, fullName: 'Platform administrator',
      isAdmin: true, active: true, prohibitLogin: false, mayCreateOrganization: true,
    });
    await insertMember(transaction, { organizationId, teamId: ownersTeamId, userId: admin.id });
    const details = { isAdmin: true };
    await insertAudit(transaction, actor, [{ action: 'user.create', object: `user:${admin.id}`, details }]);
    if (config.adminToken !== undefined) {
      const id = await insertToken(transaction, {
        ...tokenDigest(config.tokenKey, config.adminToken.reveal()), accountId: admin.id, accountKind: 'person',
        name: 'first start', end: null, scopes: [wholeScope], clusterId: null,
      });
      await insertAudit(transaction, actor, [{
        action: 'token.create', object: `token:${id}`, subjectIds: [admin.id], details: { accountId: admin.id },
      }]);
    }
    log.info({ userId: admin.id, username: admin.name }, 'first site admin created');
  }, { lockTimeout: 30_000 });
}

async function createAdministration(transaction: Transaction, config: Config, log: Logger): Promise<Administration> {
  const name = config.administrative;
  const problem = slugProblem(name);
  if (problem !== undefined) throw new Error(`setting orgs.administrative: the name ${name} ${problem}`);
  const { id: organizationId, ownersTeamId } = await insertOrganization(transaction, {
    name, fullName: 'Administration of the platform', description: '', website: '', location: '', visibility: 'private',
    orgType: organizationTypes.administrative, managerEndpoint: '',
  });
  await insertAudit(transaction, actor, [
    { action: 'organization.create', object: `organization:${organizationId}`, organizationId },
  ]);
  log.info({ organizationId, slug: name }, 'administrative organization created');
  return { organizationId, slug: name, ownersTeamId };
}
