import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type HttpAnswer, ownPostgres, type OwnPostgres, until } from '@platform/testing';
import { newApplication, short, startSubscriptionWorld, type SubscriptionWorld } from './subscription-world.ts';

let postgres: OwnPostgres;
let world: SubscriptionWorld;

beforeAll(async () => {
  postgres = await ownPostgres();
  world = await startSubscriptionWorld('B', { postgres });
}, 120_000);
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  await postgres?.[Symbol.asyncDispose]();
});

/** The notifications of an application, in their order. */
async function notificationsOf(applicationId: string) {
  const { installerId } = await until(
    () => world.installer('ProviderB', { owner: 'administration' }), { within: 30_000, what: 'PostgreSQL is found again' },
  );
  return [
    { applicationId, eventType: 'PUT', eventTime: '2026-11-22T10:00:00Z', provisioningState: 'Succeeded' },
    { applicationId, eventType: 'BIND', bindingInfo: { installerId, clusterId: randomUUID() } },
    { applicationId, eventType: 'DELETE', eventTime: '2026-11-22T11:00:00Z', provisioningState: 'Succeeded' },
  ] as const;
}

/** Sends the same notification until it is accepted, as the provider does. */
const untilAccepted = (notification: object) => until(async () => {
  const answer = await world.notifyB(notification);
  return answer.status === 200 && answer;
}, { within: 30_000, what: 'the notification is accepted' });

/** What each notification leaves behind: the state, contracts (active, revoked) and the audit. */
const states = { PUT: 'Pending', BIND: 'Bounded', DELETE: 'Deleted' } as const;
const contracts = { PUT: [0, 0], BIND: [5, 0], DELETE: [0, 5] } as const;
const audited = ['put success', 'bind success', 'delete success'];

async function expectEffects(applicationId: string, { eventType }: { eventType: keyof typeof states }, count: number) {
  const shown = await until(async () => {
    const id = (await world.ofApplication(applicationId))!;
    const { state } = await world.subscription('ProviderB', id);
    const { active, revoked } = await world.contractCounts(id);
    return { state, contracts: [active, revoked], audit: short(await world.audit('ProviderB', id)) };
  }, { within: 30_000, what: 'PostgreSQL is found again' });
  expect(shown).toEqual({
    state: states[eventType], contracts: contracts[eventType], audit: audited.slice(0, count),
  });
}

const isRefusal = ({ status }: HttpAnswer) => status === 500 || status === 503;

it('are 503 while PostgreSQL is away, leave nothing half done, and have their one effect afterwards', async () => {
  const applicationId = newApplication();
  for (const [index, notification] of (await notificationsOf(applicationId)).entries()) {
    await postgres.proxy.refuse();
    const refused = await world.notifyB(notification);
    expect([refused.status, refused.json(), refused.header('retry-after')]).toEqual([
      503, { message: expect.any(String), code: 'unavailable', requestId: expect.any(String) }, expect.any(String),
    ]);
    await postgres.proxy.release();
    await untilAccepted(notification);
    await expectEffects(applicationId, notification, index + 1);
    await untilAccepted(notification);
    await expectEffects(applicationId, notification, index + 1);
  }
}, 120_000);

it('have one effect when connections to PostgreSQL are cut while they are applied', async () => {
  let refusals = 0;
  for (const bytes of [0, 200]) {
    const applicationId = newApplication();
    for (const [index, notification] of (await notificationsOf(applicationId)).entries()) {
      postgres.proxy.cutAfter(bytes);
      const cut = await world.notifyB(notification);
      await postgres.proxy.release();
      if (cut.status !== 200) {
        expect(isRefusal(cut)).toBe(true);
        refusals += 1;
        await untilAccepted(notification);
      }
      await expectEffects(applicationId, notification, index + 1);
    }
  }
  expect(refusals).toBeGreaterThan(0);
}, 120_000);

it('have one effect when PostgreSQL is killed while they are applied', async () => {
  const applicationId = newApplication();
  const [put, bind] = await notificationsOf(applicationId);
  await untilAccepted(put);
  const [answer] = await Promise.all([world.notifyB(bind), postgres.kill()]);
  expect(answer.status === 200 || isRefusal(answer)).toBe(true);
  await postgres.start();
  await untilAccepted(bind);
  await expectEffects(applicationId, bind, 2);
}, 120_000);
