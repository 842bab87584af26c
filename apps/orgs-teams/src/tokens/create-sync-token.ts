import { Fault } from '@platform/faults';
import type { TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { Handler } from '@platform/rpc';
import { readOrganization } from '../accounts/read-organization.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { type SyncTokenOf, syncTokenHolder } from './get-sync-token.ts';
import { syncCredentials } from './sync-token.ts';
import { replaceSyncToken } from './sync-tokens.ts';

/** POST /orgs/{orgname}/manager/sync-token and …/user-token (spec §4.13, open-points 3.4). */
export function createSyncToken(
  { sealer, write }: Parts, of: SyncTokenOf,
): Handler<typeof TokenServiceService.createSyncToken> {
  return async (request, context) => {
    const credentials = syncCredentials(request);
    const holder = syncTokenHolder(of, context);
    const { organizationId, userId } = holder;
    await write(context, [lock.permission(organizationId)], async (work) => {
      const organization = await readOrganization(work, organizationId, context.deadline);
      // Open-points 3.1: only an organization with an endpoint is of multi-cluster-manager origin.
      if ((organization?.managerEndpoint ?? '') === '') {
        const text = 'this organization has no multi-cluster-manager: set its managerManagementClusterEndPoint first';
        throw new Fault('NOT_MANAGER_ORIGIN', text);
      }
      await replaceSyncToken(work, sealer, holder, credentials);
      const details = { accessKeyId: credentials.accessKeyId, ...(userId === null ? {} : { userId }) };
      work.audit({ action: 'sync_token.set', object: `organization:${organizationId}`, organizationId, details });
    });
    return { message: 'token created' };
  };
}
