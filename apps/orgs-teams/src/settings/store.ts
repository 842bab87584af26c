import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Favicons } from '../pictures/branding-picture.ts';
import { laterClock } from '../standing/clock.ts';

/** The branding as stored in its row; null means the default. */
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

/** Reads the branding, and locks its row until the end of the transaction. */
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

/** Adds a domain. Returns the new list, or undefined when the list already contains the domain. */
export async function insertAllowedDomain(queryable: Queryable, domain: string): Promise<string[] | undefined> {
  const changed = await queryable.maybeOne(sql<{ domains: string[] }>`
    update site_setting
       set allowed_domains = array(
             select one from unnest(allowed_domains || ${domain}::text) one order by one collate "C"
           )
     where ${domain} <> all (allowed_domains)
    returning allowed_domains as "domains"`);
  return changed?.domains;
}

/** Removes a domain. Returns the new list, or undefined when the list does not contain the domain. */
export async function deleteAllowedDomain(queryable: Queryable, domain: string): Promise<string[] | undefined> {
  const changed = await queryable.maybeOne(sql<{ domains: string[] }>`
    update site_setting
       set allowed_domains = array_remove(allowed_domains, ${domain})
     where ${domain} = any (allowed_domains)
    returning allowed_domains as "domains"`);
  return changed?.domains;
}

/** Disables or enables sign-up; returns whether this changed the setting. */
export async function updateRegistration(queryable: Queryable, disabled: boolean): Promise<boolean> {
  const changed = await queryable.execute(sql`
    update site_setting set registration_disabled = ${disabled} where registration_disabled <> ${disabled}`);
  return changed > 0;
}

/** Whether sign-up in the console is disabled. Invitations and `/register` still work (open-points 10). */
export async function isRegistrationDisabled(queryable: Queryable, deadline: Deadline): Promise<boolean> {
  const { disabled } = await queryable.one(
    sql<{ disabled: boolean }>`select registration_disabled as disabled from site_setting`, { deadline },
  );
  return disabled;
}
