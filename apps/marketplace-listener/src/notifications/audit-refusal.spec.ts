import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { until } from '@platform/testing';
import { insertAudit } from '../audit/store.ts';
import { type MeteredWorld, startMeteredWorld } from '../fixtures/metered-world.ts';
import { auditRefusal } from './audit-refusal.ts';
import type { Payload } from './payload.ts';

let world: MeteredWorld;
beforeAll(async () => {
  world = await startMeteredWorld();
}, 60_000);
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
});

it('a refusal does not replace a success of the same notification that commits at the same time', async () => {
  const { rows } = world;
  const id = await world.subscribe('ProviderA', 1, new Date());
  const { installerId } = await rows.one(sql<{ installerId: string }>`
    select installer.public_id as "installerId"
      from subscription join installer on installer.id = installer_id where subscription.id = ${id}`);
  const digest = randomBytes(32);
  const payload: Payload = {
    marketplace: 'ProviderA', problem: undefined, eventType: undefined, eventTime: undefined, applicationId: undefined,
    provisioningState: undefined, plan: undefined, resourceUsageId: undefined, bindingInfo: {}, installerId,
    digests: [digest], data: {},
  };
  const refused = () => auditRefusal(rows, 'bind', payload, deadlineIn(20_000), () => {
    throw new Fault('INVALID_BINDING', 'refused');
  });
  const refusal = await rows.transact(async (transaction) => {
    await insertAudit(transaction, id, {
      operation: 'bind', status: 'success', description: 'applied', notification: digest,
    });
    const answer = refused().catch((error: unknown) => error);
    await until(async () => (await rows.query(sql`select from pg_locks where not granted`)).length > 0, {
      what: 'the refusal waits for the entry',
    });
    return { answer };
  });
  expect(await refusal.answer).toMatchObject({ reason: 'INVALID_BINDING' });
  expect(await rows.query(sql`select status, description from marketplace_audit where subscription_id = ${id}`))
    .toEqual([{ status: 'success', description: 'applied' }]);
});
