import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { as } from '@platform/testing';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import { eventJson, type SpecEvent, subjectOf } from '../fixtures/events.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling();
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

it('history with invalid events is refused for each of them, and no event of the request is stored', async () => {
  const [ownerId, clusterUid, product] = [7, randomUUID(), 'productdb'];
  const historical = (event: SpecEvent, repeatedUntil = '') => ({
    subject: subjectOf(ownerId, clusterUid, product), event: JSON.stringify(eventJson(product, event)), repeatedUntil,
  });
  const stored = () => billing.rows.query(sql<{ subject: string }>`
    select subject from reported_object where cluster_uid = ${clusterUid}::uuid order by subject`);
  const time = '2026-01-05T00:00:00Z';
  const [valid, other] = [historical({ uid: 'a', time }, '2026-01-06T00:00:00Z'), historical({ uid: 'b', time })];
  const entered = billing.admin.enterHistory({
    events: [
      valid, historical({ uid: 'c', time, cpu: 'many' }), other, historical({ uid: 'd', time }, 'tomorrow'),
      { ...valid, subject: 'elsewhere' },
    ],
  }, as(undefined));
  await expect(entered).rejects.toMatchObject({
    reason: 'INVALID_VALUE',
    violations: [
      { path: 'events[1]', message: 'data.resource.spec.totalResource.limits.cpu is not a Kubernetes quantity' },
      { path: 'events[3]', message: 'repeatedUntil is not an RFC3339 time: tomorrow' },
      {
        path: 'events[4]',
        message: 'the bus subject must be events.s{number}.user.{owner ID}.k8s.{cluster UUID}.product.{product}',
      },
    ],
  });
  expect(await stored()).toEqual([]);
  await billing.admin.enterHistory({ events: [valid, other] }, as(undefined));
  expect(await stored()).toEqual([{ subject: 'a' }, { subject: 'b' }]);
});
