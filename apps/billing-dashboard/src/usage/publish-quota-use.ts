import { type Database, type Fragment, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { type Quota, readQuotaUse } from './read-quota-use.ts';

/** Contracts per statement. Contracts of one owner follow each other, because their use is read together. */
const atOnce = 500;

/**
 * Publishes how much of their usage quotas active contracts have used, as facts (open-points 5.1). Publishes a new fact
 * only when the whole per cent, the quota or the month changes, so heavy use does not cause many facts.
 */
export async function publishQuotaUse(database: Database, deadline: Deadline): Promise<void> {
  const now = new Date();
  for (let after: Fragment = sql`true`; ;) {
    const contracts = await database.query(sql<Quota & { ownerId: number; product: string }>`
      select id, owner_id as "ownerId", product, quota_metric as "metric", quota_limit as "limit" from contract
       where quota_metric in ('cpu_core_month', 'memory_gib_month') and quota_limit > 0 and revoked_at is null
         and starts_at <= ${now} and ends_at > ${now} and ${after}
       order by owner_id, product, id limit ${atOnce}`, { deadline });
    if (contracts.length === 0) return;
    const used = await readQuotaUse(database, contracts, now.getTime() * 1000, deadline);
    const rows = contracts.map(({ id, metric, limit }) => {
      const { used: amount, wholePercent } = used.get(id)!;
      const percent = Math.min(wholePercent, 100);
      return { contractId: id, month: now.toISOString().slice(0, 7), metric, limit, used: amount, percent };
    });
    await database.execute(sql`
      select publish_fact('quota_use', given.value ->> 'contractId', given.value)
        from jsonb_array_elements(${sql.json(rows)}::jsonb) given
        left join fact on fact.kind = 'quota_use' and fact.key = given.value ->> 'contractId'
       where fact.value is null or fact.value - 'used' <> given.value - 'used'`, { deadline });
    const { ownerId, product, id: last } = contracts.at(-1)!;
    after = sql`(owner_id, product, id) > (${ownerId}, ${product}, ${last})`;
  }
}
