import { mkdtemp, chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';

/** Tables that events fill, with the condition that selects the rows of a cluster. */
const tables: Readonly<Record<string, string>> = {
  reported_object: 'cluster_uid = $1',
  metered_object: 'cluster_uid = $1',
  object_version: 'object_id in (select id from reported_object where cluster_uid = $1)',
  raw_event: 'object_id in (select id from reported_object where cluster_uid = $1)',
  product_contact: 'cluster_uid = $1',
  usage_segment: 'metered_id in (select id from metered_object where cluster_uid = $1)',
  usage_month: 'metered_id in (select id from metered_object where cluster_uid = $1)',
};

/** Copies the rows of a cluster with COPY into tables of the same structure. @returns the duration, in ms */
export async function copyRows(client: pg.Client, clusterUid: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-copy-'));
  await chmod(folder, 0o777);
  let ms = 0;
  try {
    for (const [table, which] of Object.entries(tables)) {
      const { rows } = await client.query<{ columns: string }>(`
        select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
          from information_schema.columns
         where table_schema = current_schema and table_name = $1 and is_generated = 'NEVER'`, [table]);
      const [{ columns }] = rows as [{ columns: string }];
      const file = join(folder, table);
      const condition = which.replace('$1', `'${clusterUid}'`);
      await client.query(`drop table if exists bench_copy; create table bench_copy (like ${table} including all)`);
      await client.query(`copy (select ${columns} from ${table} where ${condition}) to '${file}'`);
      const begun = performance.now();
      await client.query(`copy bench_copy (${columns}) from '${file}'`);
      ms += performance.now() - begun;
    }
    await client.query('drop table bench_copy');
    return ms;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
