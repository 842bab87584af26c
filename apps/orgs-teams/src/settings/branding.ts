import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { BrandingColumns } from './store.ts';

export interface BrandingRow extends BrandingColumns {
  /** Time of the last change, in Unix seconds. */
  readonly changedUnix: number;
}

/**
 * Returns a function that reads the branding at each call, so that it sees changes by every replica. The database sends
 * the row only if it differs from the kept row.
 */
export function createReadBranding(queryable: Queryable): (deadline: Deadline) => Promise<BrandingRow> {
  let kept: { revision: string; row: BrandingRow } | undefined;
  return async (deadline) => {
    const known = kept;
    const { revision, row } = await queryable.one(sql<{ revision: string; row: BrandingRow | null }>`
      select branding_revision as "revision",
             case when branding_revision is distinct from ${known?.revision ?? null}::uuid then jsonb_build_object(
               'changedUnix', extract(epoch from branding_changed_at)::bigint, 'logo', logo, 'favicons', favicons,
               'primaryColor', primary_color, 'showAppTag', show_app_tag, 'appName', app_name
             ) end as "row"
        from site_setting`, { deadline });
    if (row === null) return known!.row;
    kept = { revision, row };
    return row;
  };
}
