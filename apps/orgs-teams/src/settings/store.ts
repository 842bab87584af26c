import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Favicons } from '../pictures/branding-picture.ts';
import { laterClock } from '../standing/clock.ts';

/** The branding in the row of `site_setting`; null means the default. */
export interface BrandingColumns {
  /** Data URI. */
  readonly logo: string | null;
  readonly favicons: Favicons | null;
  readonly primaryColor: string | null;
  readonly showAppTag: boolean | null;
  readonly appName: string | null;
}

const branding = sql`
  logo, favicons, primary_color as "primaryColor", show_app_tag as "showAppTag", app_name as "appName"`;

export async function lockBranding(queryable: Queryable): Promise<BrandingColumns> {
  return queryable.one(sql<BrandingColumns>`select ${branding} from site_setting for no key update`);
}

export async function updateBranding(queryable: Queryable, columns: BrandingColumns): Promise<void> {
  const { logo, favicons, primaryColor, showAppTag, appName } = columns;
  await queryable.execute(sql`
    update site_setting
       set logo = ${logo}, favicons = ${favicons}, primary_color = ${primaryColor}, show_app_tag = ${showAppTag},
           app_name = ${appName}, branding_revision = gen_random_uuid(),
           branding_changed_at = greatest(date_trunc('second', ${laterClock()}), branding_changed_at + interval '1 s')`);
}

/** Whether sign-up is disabled. Invitations still work (open-points 10). */
export async function isRegistrationDisabled(queryable: Queryable, deadline: Deadline): Promise<boolean> {
  const { disabled } = await queryable.one(sql<{ disabled: boolean }>`
    select registration_disabled as disabled from site_setting`, { deadline });
  return disabled;
}
