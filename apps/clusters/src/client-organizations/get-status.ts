import type { ClientOrganizationServiceService } from '@platform/proto/clusters/v1/client_organization';
import type { Handler, OutgoingContext } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { statusOf, statusOfCluster } from './status.ts';
import { readStates } from './store.ts';

type Methods = typeof ClientOrganizationServiceService;

/** GET /user/client/{orgname}/status (spec §4.2, open-points 4.3). */
export function getClientOrganizationStatus(parts: Parts): Handler<Methods['getClientOrganizationStatus']> {
  return async ({ orgname }, context) => ({ status: statusOf(await readLatest(parts, orgname, context)) });
}

/** GET /user/client/{orgname}/cluster/{cluster}/status (spec §4.2, open-points 4.3). */
export function getClientClusterStatus(parts: Parts): Handler<Methods['getClientClusterStatus']> {
  return async ({ orgname, cluster }, context) =>
    ({ status: statusOfCluster(await readLatest(parts, orgname, context), cluster) });
}

/**
 * Returns the states of the newest client organization with this name, which may be deleted. Returns undefined if there
 * is none, or if it is deleted and another account now has its name.
 */
async function readLatest({ accounts, database }: Parts, orgname: string, context: OutgoingContext) {
  const states = await readStates(database, orgname.toLowerCase(), context.deadline);
  if (states?.state !== 'deleted') return states;
  return await accounts.byName(orgname, context) === undefined ? states : undefined;
}
