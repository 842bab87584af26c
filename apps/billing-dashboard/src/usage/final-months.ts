import { type Database, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { isFinal, readMonth } from './month.ts';
import { readGeneratedMonths } from './read-months.ts';

/** Notes each month whose usage is final, once. A trigger on `final_month` creates a webhook event (ADR 0270). */
export async function noteFinalMonths(
  database: Database, { deadline }: { readonly deadline: Deadline }, now = new Date(),
): Promise<void> {
  const nowUs = now.getTime() * 1000;
  const months = (await readGeneratedMonths(database, undefined, nowUs, deadline)).filter((firstDay) => {
    const [year = '', month = ''] = firstDay.split('-');
    return isFinal(readMonth({ year, month }), nowUs);
  });
  await database.execute(sql`
    insert into final_month (month) select unnest(${months}::date[]) order by 1 on conflict do nothing`, { deadline });
}
