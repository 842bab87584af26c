import { pageOf } from '@platform/lists';
import type { SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { readAllowedDomains } from './allowed-domains.ts';

/** GET /allowed-domains (spec §4.8): sorted by code point. */
export function listAllowedDomains(
  { config, database }: Parts,
): Handler<typeof SettingsServiceService.listAllowedDomains> {
  return async (request, { deadline }) => {
    const { items, total, next } = await readAllowedDomains(database, pageOf(request, config), deadline);
    return { domains: items.map(({ name }) => name), total, next };
  };
}
