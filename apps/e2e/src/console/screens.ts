import type { ConsoleWorld } from './console-world.ts';
import type { HostileThings } from './hostile.ts';

/** The addresses of all screens, with hostile texts wherever others can put them. */
export function screensOf({ acme, paris }: ConsoleWorld, { org, team, contract }: HostileThings): readonly string[] {
  const at = `/orgs/${org}`;
  const licensed = `/site/licensed/${acme.id}`;
  return [
    '/', '/account', '/account/contracts', '/account/licences',
    at, `${at}/audit`, `${at}/explain`, `${at}/teams`, `${at}/teams/${team}`, `${at}/members`, `${at}/roles`, `${at}/tokens`, `${at}/clusters`,
    `${at}/metrics`, `${at}/contracts`, `${at}/contracts/${contract}`, `${at}/licences`, `${at}/usage`,
    `${at}/client-billing`, '/orgs/acme/usage', '/orgs/acme/clusters/acme/hub',
    '/site/contracts', `/site/contracts/${contract}`, '/site/clients', '/site/licensed', licensed,
    `${licensed}/${paris.clusterUid}`, `${licensed}/${paris.clusterUid}/4711`,
    `${licensed}/${paris.clusterUid}/4711/productdb-enterprise`, '/site/outages', '/site/subscriptions', '/site/settings',
    '/site/users', '/site/organizations', '/site/audit', '/nowhere',
  ];
}
