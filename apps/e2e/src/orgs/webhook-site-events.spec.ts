import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addJobs, runNow } from '@platform/jobs';
import { connect, sql } from '@platform/postgres';
import { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import { rpcClient } from '@platform/testing';
import { ok } from '../contracts/contract-world.ts';
import {
  startSubscriptionWorld, subscriptionHosts, type SubscriptionWorld,
} from '../marketplace/subscription-world.ts';
import { specCall } from '../operator.ts';
import { reported } from '../usage/reported.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';
import { outcome } from './world.ts';

const stack = new AsyncDisposableStack();
let receiver: WebhookReceiver, world: SubscriptionWorld;
beforeAll(async () => {
  receiver = stack.use(await startReceiver());
  const options = { hosts: [...subscriptionHosts, 'billing-dashboard'] as const, settings: receiver.settings };
  world = stack.use(await startSubscriptionWorld('A', options));
}, 120_000);
afterAll(() => stack.disposeAsync());

const endpoint = async (at: string, kind: string) => ok(await world.siteAdmin.http.post('/api/v1/admin/webhooks', {
  json: { url: `${receiver.address}${at}`, events: [kind] },
}), 201);

it('the states of a subscription come in order, to endpoints of the site alone', async () => {
  const acme = await world.organizationWith(0);
  await endpoint('/subscriptions', 'subscription.state_changed');
  const { installerId, subscriptionId: id } = await world.installer('ProviderA', { owner: acme.organization.username });
  const bindingInfo = { marketplace: 'ProviderA', installerId, clusterId: randomUUID() };
  expect((await world.notifyA({ eventType: 'subscribe-success', bindingInfo })).status).toBe(200);
  expect((await world.revoke('ProviderA', id!)).status).toBe(200);
  const events = await receiver.came('/subscriptions', 3);
  expect(events.map(({ data }) => data['state'])).toEqual(['Pending', 'Bounded', 'Revoked']);
  expect(events.at(-1)).toMatchObject({
    type: 'subscription.state_changed', subject: `subscription:${id}`,
    data: { organizationID: acme.organization.id, subscriptionID: id, marketplace: 'ProviderA' },
  });
  const json = { url: `${receiver.address}/never`, events: ['subscription.state_changed'] };
  expect((await acme.boss.http.post(`${acme.path}/webhooks`, { json })).status).toBe(422);
});

it('a month of usage has one event, after it is final', async () => {
  await endpoint('/months', 'usage.month_final');
  const { platform } = world;
  const client = await rpcClient(EventAdminServiceService, platform.services['billing-dashboard'], platform);
  const monthsAgo = (months: number) => {
    const at = new Date();
    at.setUTCDate(1);
    at.setUTCMonth(at.getUTCMonth() - months);
    return at.toISOString();
  };
  const enter = (time: string) => client.enterHistory({
    events: [{
      subject: `events.s0.user.7.k8s.${randomUUID()}.product.productdb-enterprise`, repeatedUntil: '',
      event: reported('productdb-enterprise', { uid: randomUUID(), time }),
    }],
  }, specCall());
  await enter(monthsAgo(4));
  await enter(monthsAgo(0));
  const { url, schema } = platform.databases['billing-dashboard'];
  await using rows = connect({ url, schema, applicationName: 'spec', maxConnections: 2 });
  const look = () => addJobs(rows, [runNow('final-months')]);
  const month = monthsAgo(4).slice(0, 7);
  await look();
  const [event] = await receiver.came('/months', 1);
  expect(event).toMatchObject({ type: 'usage.month_final', subject: `usage:${month}`, data: { month } });
  expect(event!.data).not.toHaveProperty('organizationID');
  await enter(monthsAgo(5));
  await look();
  expect((await receiver.came('/months', 2)).map(({ data }) => data['month'])).toEqual([month, monthsAgo(5).slice(0, 7)]);
  expect(await rows.query(sql`select from final_month`)).toHaveLength(2);
});

it('the site has at most 20 endpoints, also if several site admins create them at once', async () => {
  const other = await world.person();
  const user = `/api/v1/admin/users/${other.username}`;
  expect((await world.siteAdmin.http.patch(user, { json: { admin: true } })).status).toBe(200);
  const json = { url: `${receiver.address}/many`, events: ['usage.month_final'] };
  const answers = await Promise.all(Array.from({ length: 30 }, (_, count) =>
    (count % 2 === 0 ? world.siteAdmin : other).http.post('/api/v1/admin/webhooks', { json })));
  expect(new Set(answers.map(outcome))).toEqual(new Set(['201', '400 invalid_value']));
  expect(ok<unknown[]>(await other.http.get('/api/v1/admin/webhooks?limit=50'))).toHaveLength(20);
});
