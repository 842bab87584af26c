import type { SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import type { Handlers } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { addAllowedDomain, listAllowedDomains, removeAllowedDomain } from './allowed-domains.ts';
import { getBranding, getLetterhead } from './get-branding.ts';
import { getRegistration, updateRegistration } from './registration.ts';
import { updateBranding } from './update-branding.ts';

/** Branding, allowed e-mail domains and registration. */
export function settings(parts: Parts): Handlers<typeof SettingsServiceService> {
  return {
    getBranding: getBranding(parts),
    getLetterhead: getLetterhead(parts),
    updateBranding: updateBranding(parts),
    listAllowedDomains: listAllowedDomains(parts),
    addAllowedDomain: addAllowedDomain(parts),
    removeAllowedDomain: removeAllowedDomain(parts),
    getRegistration: getRegistration(parts),
    updateRegistration: updateRegistration(parts),
  };
}
