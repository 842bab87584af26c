import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from '@jest/globals';
import { until } from '@platform/testing';
import { organizationHosts } from '../platform.ts';
import { dueNow, startReceiver } from './webhook-receiver.ts';
import { startWorld } from './world.ts';

it('a receiver that takes longer than the time limit has failed: the connection ends, and the event comes again', async () => {
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(await startReceiver());
  const settings = { ...receiver.settings, 'webhooks.timeout': '500ms' };
  const world = stack.use(await startWorld({ hosts: organizationHosts, settings }));
  const acme = await world.organizationWith(0);
  const json = { url: `${receiver.address}/slow`, events: ['member.added'] };
  const { id } = (await acme.boss.http.post(`${acme.path}/webhooks`, { json })).json<{ id: number }>();
  const arrived = Promise.withResolvers<ServerResponse>();
  receiver.answers.set('/slow', arrived.resolve);
  await world.join(acme.boss, acme.organization.teams.Viewers, await world.person());
  const held = await arrived.promise;
  await once(held, 'close');
  expect(held.writableEnded).toBe(false);
  const delivery = async () => (await acme.boss.http.get(`${acme.path}/webhooks/${id}/deliveries`))
    .json<{ state: string; attempts: number }[]>()[0]!;
  const failed = await until(async () => {
    const now = await delivery();
    return now.attempts > 0 ? now : undefined;
  }, { what: 'the log has the failure' });
  expect(failed.state).toBe('waiting');
  expect(failed).not.toHaveProperty('status');
  receiver.answers.delete('/slow');
  await until(async () => {
    await dueNow(world.database);
    return (await delivery()).state === 'delivered';
  }, { what: 'it is delivered', within: 20_000 });
  expect(new Set((await receiver.came('/slow', 2)).map((event) => event.id)).size).toBe(1);
}, 60_000);
