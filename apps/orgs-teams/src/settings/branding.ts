import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { BrandingColumns } from './store.ts';

export interface BrandingRow extends BrandingColumns {
  /** Time of the last change, in Unix seconds. */
  readonly changedUnix: number;
}

/** Reads the current branding. */
export type ReadBranding = (deadline: Deadline) => Promise<BrandingRow>;

interface ReadRow {
  readonly revision: string;
  /** Null if the revision is unchanged. */
  readonly row: BrandingRow | null;
}

/**
 * Returns a function that reads the branding from the database at each call. The database sends the pictures only if
 * the branding has changed since the last call, so most calls transfer a few bytes. A change through any replica is
 * visible to the next call.
 */
export function createReadBranding(queryable: Queryable): ReadBranding {
  let kept: { revision: string; row: BrandingRow } | undefined;
  return async (deadline) => {
    const known = kept;
    const { revision, row } = await queryable.one(
      sql<ReadRow>`
        select branding_revision as "revision",
               case when branding_revision is distinct from ${known?.revision ?? null}::uuid then jsonb_build_object(
                 'changedUnix', extract(epoch from branding_changed_at)::bigint, 'logo', logo, 'favicons', favicons,
                 'primaryColor', primary_color, 'showAppTag', show_app_tag, 'appName', app_name
               ) end as "row"
          from site_setting`,
      { deadline },
    );
    if (row === null) return known!.row;
    kept = { revision, row };
    return row;
  };
}
