import type { AllowedDomains, ListAllowedDomainsRequest } from '@platform/proto/orgs/v1/settings';
import type { Handler } from '@platform/rpc';
import { pageOf } from '../domain/page.ts';
import type { Parts } from '../parts.ts';
import { readAllowedDomains } from '../reports/allowed-domains.ts';

/** GET /allowed-domains (spec §4.8): sorted by code point. */
export function listAllowedDomains({ database }: Parts): Handler<ListAllowedDomainsRequest, AllowedDomains> {
  return async (request, { deadline }) => {
    const { items, total, next } = await readAllowedDomains(database, pageOf(request), deadline);
    return { domains: items.map(({ id }) => id), total, next };
  };
}
