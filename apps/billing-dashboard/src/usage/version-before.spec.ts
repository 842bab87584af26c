import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import { monthOf } from './segments.ts';

// PostgreSQL plans the statements of a trigger at its first run, so this spec has its own database without statistics.

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling();
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

const minuteUs = 60_000_000;
const lastMonth = monthOf(monthOf(Date.now() * 1000) - 1);

it('segments of the version before end one that goes on where the first of them begins', async () => {
  const events = Array.from({ length: 41 }, (_, place) => (
    { uid: 'a', generation: place, time: new Date((lastMonth + place * 10 * minuteUs) / 1000).toISOString(), cpu: 1 }
  ));
  await billing.enter(1, randomUUID(), 'productdb-enterprise', events);
  await billing.renewed();
  const minutes = 400 + 120;
  const sums = () => billing.rows.query(sql<{ minutes: number }>`
    select (cpu / 1000000000 / ${minuteUs})::integer as "minutes" from usage_month where owner_id = 1`);
  expect(await sums()).toEqual([{ minutes }]);
  // A replica of the previous version renews from the third event on: it begins a segment at each event.
  await billing.rows.execute(sql`
    insert into usage_segment (
      metered_id, from_us, to_us, month, owner_id, product, cpu, memory, contract_id, class, mode
    )
    select metered_id, ${lastMonth}::bigint + place * 10 * ${minuteUs}::bigint,
           ${lastMonth}::bigint + case place when 40 then ${minutes} else place * 10 + 10 end * ${minuteUs}::bigint,
           month, owner_id, product, cpu, memory, contract_id, class, mode
      from usage_segment cross join generate_series(2, 40) place where owner_id = 1 order by place`);
  const [segments] = await billing.rows.query(sql`
    select count(*)::integer as "count", (sum(to_us - from_us) / ${minuteUs})::integer as "minutes" from usage_segment`);
  expect(segments).toEqual({ count: 40, minutes });
  expect(await sums()).toEqual([{ minutes }]);
});
