import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql, type Transaction } from '@platform/postgres';
import { until } from '@platform/testing';
import { insertMember } from '../accounts/members.ts';
import { operator, reasonOf, startPlatform, type TestPlatform } from '../fixtures/platform.ts';
import { memberOf, teamOf, testOrganization } from '../fixtures/structure.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

/** Waits until another session waits for a lock that this transaction holds. */
async function untilAwaited(transaction: Transaction, what: string): Promise<void> {
  const { pid } = await transaction.one(sql<{ pid: number }>`select pg_backend_pid() as "pid"`);
  await until(async () => (await platform.database.query(sql`
    select from pg_stat_activity where ${pid}::integer = any (pg_blocking_pids(pid))`)).length > 0, { what });
}

it('the deletion of a user locks a team of the same organization that the user has joined meanwhile', async () => {
  const organization = await testOrganization(platform);
  const user = await memberOf(platform, organization.viewers);
  const joined = await teamOf(platform, organization);
  await platform.settled(organization.id);
  let deleted: Promise<string> | undefined;
  await platform.database.transact(async (changing) => {
    await changing.execute(sql`select from team where id = ${joined} for no key update`);
    await platform.database.transact(async (joining) => {
      await joining.execute(sql`select from account where id = ${user.id} for no key update`);
      deleted = reasonOf(platform.admin.deleteUser({ username: user.name, leaveOrganizations: false }, operator()));
      await untilAwaited(joining, 'the deletion waits for the user');
      await insertMember(joining, { organizationId: organization.id, teamId: joined, userId: user.id });
    });
    await untilAwaited(changing, 'the deletion waits for the joined team');
  });
  expect(await deleted).toBe('OK');
  expect(await platform.database.query(sql`select from team_member where user_id = ${user.id}`)).toEqual([]);
}, 60_000);
