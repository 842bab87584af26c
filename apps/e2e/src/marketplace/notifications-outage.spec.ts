import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type HttpAnswer, ownPostgres, type OwnPostgres, until } from '@platform/testing';
import { outcome } from '../orgs/world.ts';
import { newApplication, short, startSubscriptionWorld, type SubscriptionWorld } from './subscription-world.ts';

const stack = new AsyncDisposableStack();
let postgres: OwnPostgres;
let world: SubscriptionWorld;

beforeAll(async () => {
  postgres = stack.use(await ownPostgres());
  const ownProcess = { of: ['contracts-licensing'], because: 'killed' } as const;
  world = stack.use(await startSubscriptionWorld('B', { postgres, ownProcess }));
}, 120_000);
afterAll(() => stack.disposeAsync());

/** The notifications of an application, in order. */
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

type Way = { readonly applicationId: string; readonly bind: object; readonly remove: object };

/** Sends the same notification until it is accepted, as the provider does. */
const untilAccepted = (notification: object) => until(async () => {
  const answer = await world.notifyB(notification);
  return answer.status === 200 && answer;
}, { within: 30_000, what: 'the notification is accepted' });

/** The result of each notification: the state, numbers of contracts (active, revoked) and audit entries. */
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
  expect(shown).toEqual({ state: states[eventType], contracts: contracts[eventType], audit: audited.slice(0, count) });
}

const isRefusal = ({ status }: HttpAnswer) => status === 500 || status === 503;

it('are audited as failed until their contracts are made or revoked, which needs no repeat', async () => {
  const [deleted, revoked, bound, ended] = await Promise.all(Array.from({ length: 4 }, async () => {
    const applicationId = newApplication();
    const [, bind, remove] = await notificationsOf(applicationId);
    return { applicationId, bind, remove };
  })) as [Way, Way, Way, Way];
  for (const { bind } of [deleted, revoked]) await untilAccepted(bind);
  const idOf = async ({ applicationId }: Way) => (await world.ofApplication(applicationId))!;
  const look = () => Promise.all([deleted, revoked, bound, ended].map(async (way) => {
    const id = await idOf(way);
    const entries = await world.audit('ProviderB', id);
    const last = entries.at(-1)!.data['contractIds'];
    return [(await world.subscription('ProviderB', id)).state, short(entries).join(), Array.isArray(last) ? last.length : 0];
  }));
  const [contractsService] = world.platform.services['contracts-licensing'].replicas;
  await contractsService.kill();
  const answers = [
    ...await Promise.all([
      world.notifyB(deleted.remove), world.revoke('ProviderB', await idOf(revoked)),
      world.notifyB(bound.bind), world.notifyB(ended.bind),
    ]),
    await world.notifyB(ended.remove),
  ];
  expect(answers.map(({ status }) => status >= 500)).toEqual([true, true, true, true, true]);
  expect(await look()).toEqual([
    ['DeletionFailed', 'bind success,delete failure', 0], ['Revoked', 'bind success,revoke failure', 0],
    ['Bounded', 'bind failure', 0], ['DeletionFailed', 'bind failure,delete failure', 0],
  ]);
  await contractsService.restart();
  const done = [
    ['Deleted', 'bind success,delete success', 5], ['Revoked', 'bind success,revoke success', 5],
    ['Bounded', 'bind success', 5], ['Deleted', 'delete success,bind failure', 0],
  ];
  await until(async () => isDeepStrictEqual(await look(), done), { within: 60_000, what: 'jobs settle the contracts' });
  expect(outcome(await world.notifyB(ended.bind))).toBe('400 subscription_closed');
  for (const { remove } of [deleted, ended]) expect((await world.notifyB(remove)).status).toBe(200);
  expect(await look()).toEqual(done);
}, 120_000);

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
