import { Fault } from '@platform/faults';
import { orderBy, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import type { Handler } from '@platform/rpc';
import { alreadyExists, normalDomain } from '@platform/values';
import { invalidDomain } from '../faults.ts';
import type { Parts } from '../parts.ts';

const byName = orderBy({ column: 'name', kind: 'text' });

/** GET /allowed-domains (spec §4.8). Lists the domains, sorted by code point. */
export function listAllowedDomains(
  { config, database }: Parts,
): Handler<typeof SettingsServiceService.listAllowedDomains> {
  return async (request, { deadline }) => {
    const { items, total, next } = (await readPage<{ readonly name: string }>(database, {
      rows: sql`select domain as name from site_setting, unnest(allowed_domains collate "C") domain`,
      order: byName,
      count: sql`select cardinality(allowed_domains) from site_setting`,
    }, pageOf(request, config), deadline))!;
    return { domains: items.map(({ name }) => name), total, next };
  };
}

/** POST /allowed-domains (spec §4.8, open-points 10). */
export function addAllowedDomain({ write }: Parts): Handler<typeof SettingsServiceService.addAllowedDomain> {
  return async ({ domain: wanted }, context) => {
    const domain = normalDomain(wanted?.name ?? '');
    if (domain === undefined) throw invalidDomain();
    return write(context, [], async (work) => {
      const changed = await work.maybeOne(sql<{ domains: string[] }>`
        update site_setting
           set allowed_domains = array(
                 select one from unnest(allowed_domains || ${domain}::text) one order by one collate "C"
               )
         where ${domain} <> all (allowed_domains)
        returning allowed_domains as "domains"`);
      if (changed === undefined) throw alreadyExists(`the domain ${domain} is already allowed`);
      work.audit({ action: 'settings.add_allowed_domain', object: 'site:main', details: { domain } });
      return { ...changed, total: changed.domains.length };
    });
  };
}

/** PATCH /allowed-domains (spec §4.8, open-points 10): removes a domain. An empty list allows every domain. */
export function removeAllowedDomain({ write }: Parts): Handler<typeof SettingsServiceService.removeAllowedDomain> {
  return async ({ domain: wanted }, context) => {
    const domain = normalDomain(wanted?.name ?? '');
    if (domain === undefined) throw invalidDomain();
    return write(context, [], async (work) => {
      const changed = await work.maybeOne(sql<{ domains: string[] }>`
        update site_setting
           set allowed_domains = array_remove(allowed_domains, ${domain})
         where ${domain} = any (allowed_domains)
        returning allowed_domains as "domains"`);
      if (changed === undefined) {
        throw new Fault('NOT_IN_WHITELIST', `the domain ${domain} is not on the list of allowed domains`);
      }
      work.audit({ action: 'settings.remove_allowed_domain', object: 'site:main', details: { domain } });
      return { ...changed, total: changed.domains.length };
    });
  };
}
