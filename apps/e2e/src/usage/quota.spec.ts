import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addJobs, runNow } from '@platform/jobs';
import { sql } from '@platform/postgres';
import { until } from '@platform/testing';
import { bind, day, inSeconds } from '../contracts/contract-world.ts';
import { type Organization, outcome, type Person } from '../orgs/world.ts';
import { startUsageWorld, usageHosts, type UsageMember, type UsageWorld } from './usage-world.ts';

let world: UsageWorld;
let owner: Person;
let acme: Organization;
let member: UsageMember;

beforeAll(async () => {
  world = await startUsageWorld({ hosts: usageHosts });
  owner = await world.person();
  acme = await world.organization(owner, { username: 'acme' });
  member = await world.member(acme, 'productdb-enterprise');
  // A time in the present month.
  await world.enter(member, [{
    uid: 'a', time: new Date(Date.now() - 1000).toISOString(), cpu: '1', memory: '1Gi', mode: 'prod',
    repeatedUntil: new Date(Date.now() + 3_600_000).toISOString(),
  }]);
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const issue = async (cluster: string) =>
  outcome(await owner.http.post('/api/v1/license/issue?org=acme', { json: { cluster } }));

/** A contract for the reporting cluster and a new one, with a quota. */
async function contractWith(quota: object): Promise<{ id: number; fresh: string }> {
  const { id } = await world.contract(acme.id, {
    products: ['productdb'], start: inSeconds(-day), quota: { enabled: true, disableLicenseOnLimitReached: true, ...quota },
  });
  const fresh = randomUUID();
  await bind(world.siteAdmin.http, id, [{ cluster: member.clusterUid }, { cluster: fresh }]);
  return { id, fresh };
}

const eventsOf = async (id: number) => (await world.events(id)).filter((event) => event.startsWith('system quota.'));
const revoke = async (id: number) =>
  expect((await world.siteAdmin.http.post(`/api/v1/contracts/${id}/revoke`)).status).toBe(200);

it.each(['cpu_core_month', 'memory_gib_month'])(
  'a quota of %s warns at its thresholds, and stops all licences when it is used up', async (metric) => {
    const { id, fresh } = await contractWith({ metric, limit: 1e-6, alertThresholds: [50, 100] });
    expect(await issue(member.clusterUid)).toBe('200');
    await until(async () => {
      await addJobs(world.billing, [runNow('publish-quota-use')]);
      await addJobs(world.rows, [runNow('contract-notices')]);
      return (await eventsOf(id)).length === 2;
    }, { within: 60_000, what: 'the thresholds are noted' });
    expect((await eventsOf(id)).toSorted())
      .toEqual(['system quota.threshold_reached 100', 'system quota.threshold_reached 50']);
    expect(await issue(fresh)).toBe('403 quota_exceeded');
    // Also a cluster that had a licence before is refused (open-points 6.5).
    expect(await issue(member.clusterUid)).toBe('403 quota_exceeded');
    const noted = (await world.events(id)).filter((event) => event.endsWith('quota.limit_reached'));
    expect(noted).toEqual([`${owner.username} quota.limit_reached`]);
    const fact = await world.billing.one(sql<{ value: object }>`
      select value from fact where kind = 'quota_use' and key = ${String(id)}`);
    expect(fact.value).toEqual({
      contractId: id, month: expect.stringMatching(/^\d{4}-\d\d$/), metric, limit: 1e-6, used: expect.any(Number), percent: 100,
    });
    // A change of the limit restarts the count.
    const quota = { limit: 1e6 };
    expect((await world.siteAdmin.http.put(`/api/v1/contracts/${id}`, { json: { quota } })).status).toBe(200);
    expect([await issue(fresh), await issue(member.clusterUid)]).toEqual(['200', '200']);
    await revoke(id);
  }, 90_000,
);

it('a quota that is far from used up neither warns nor stops', async () => {
  const { id, fresh } = await contractWith({ metric: 'cpu_core_month', limit: 1e6, alertThresholds: [1, 100] });
  await until(async () => {
    await addJobs(world.billing, [runNow('publish-quota-use')]);
    const facts = await world.billing.query(sql`select from fact where kind = 'quota_use' and key = ${String(id)}`);
    return facts.length === 1;
  }, { within: 60_000, what: 'the use is published' });
  expect(await issue(fresh)).toBe('200');
  await addJobs(world.rows, [runNow('contract-notices')]);
  expect(await eventsOf(id)).toEqual([]);
  await revoke(id);
}, 90_000);
