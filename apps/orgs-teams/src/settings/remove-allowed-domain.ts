import type { SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import { Fault, type Handler } from '@platform/rpc';
import { normalDomain } from '@platform/values';
import { invalidDomain } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { deleteAllowedDomain } from './store.ts';

/** PATCH /allowed-domains (spec §4.8, open-points 10). Without the last one every domain may sign up again. */
export function removeAllowedDomain({ write }: Parts): Handler<typeof SettingsServiceService.removeAllowedDomain> {
  return async ({ domain: wanted }, context) => {
    const domain = normalDomain(wanted?.name ?? '');
    if (domain === undefined) throw invalidDomain();
    return write(context, [], async (work) => {
      const domains = await deleteAllowedDomain(work, domain);
      if (domains === undefined) throw new Fault('NOT_IN_WHITELIST', `the domain ${domain} is not on the list`);
      work.audit({ action: 'settings.remove_allowed_domain', object: 'site:main', details: { domain } });
      return { domains, total: domains.length };
    });
  };
}
