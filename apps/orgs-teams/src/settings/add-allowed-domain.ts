import type { SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import type { Handler } from '@platform/rpc';
import { alreadyExists, normalDomain } from '@platform/values';
import { invalidDomain } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { insertAllowedDomain } from './store.ts';

/** POST /allowed-domains (spec §4.8, open-points 10): from then on only addresses of listed domains can sign up. */
export function addAllowedDomain({ write }: Parts): Handler<typeof SettingsServiceService.addAllowedDomain> {
  return async ({ domain: wanted }, context) => {
    const domain = normalDomain(wanted?.name ?? '');
    if (domain === undefined) throw invalidDomain();
    return write(context, [], async (work) => {
      const domains = await insertAllowedDomain(work, domain);
      if (domains === undefined) throw alreadyExists(`the domain ${domain} is already allowed`);
      work.audit({ action: 'settings.add_allowed_domain', object: 'site:main', details: { domain } });
      return { domains, total: domains.length };
    });
  };
}
