import { orderBy, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { OutageServiceService } from '@platform/proto/billing/v1/outage';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';

const byTag = orderBy({ column: 'tag', kind: 'text' });

/** GET /dashboard/system-outages/tags. */
export function listOutageTags({ database, config }: Parts): Handler<typeof OutageServiceService.listOutageTags> {
  return async ({ page, perPage, after }, { deadline }) => {
    const listed = await readPage<{ tag: string }>(database, {
      rows: sql`select distinct tag collate "C" as "tag" from outage cross join unnest(tags) tag`,
      order: byTag,
      count: sql`select count(distinct tag) from outage cross join unnest(tags) tag`,
    }, pageOf({ page, limit: perPage, after }, config), deadline);
    const { items, total, next } = listed!;
    return { tags: items.map(({ tag }) => tag), total, next };
  };
}
