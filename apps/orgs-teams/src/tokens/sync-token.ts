import { Fault, notFound } from '@platform/faults';
import type { TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { CallerContext, Handler, OrganizationContext } from '@platform/rpc';
import { Secret } from '@platform/service';
import { lengthProblem, Violations } from '@platform/values';
import { readOrganization } from '../accounts/read-organization.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import {
  deleteSyncToken as remove, readSyncToken, replaceSyncToken, sealIdentity, type SyncCredentials, type SyncTokenHolder,
} from './sync-tokens.ts';

/** Who holds the sync token: the organization or, on the deprecated route `…/user-token`, the caller. */
type SyncTokenOf = 'organization' | 'caller';

function syncTokenHolder(of: SyncTokenOf, { account, caller }: CallerContext & OrganizationContext): SyncTokenHolder {
  return { organizationId: account.id, userId: of === 'caller' ? caller.id : null };
}

/** GET /orgs/{orgname}/manager/sync-token and …/user-token (spec §4.13, open-points 3.4): returns the full secret. */
export function getSyncToken(
  { database, sealer }: Parts, of: SyncTokenOf = 'organization',
): Handler<typeof TokenServiceService.getSyncToken> {
  return async (_request, context) => {
    const holder = syncTokenHolder(of, context);
    const row = await readSyncToken(database, holder, context.deadline);
    if (row === undefined) throw notFound('there is no such token');
    const { userId, orgName, accessKeyId } = row;
    const secretAccessKey = sealer.open(row, sealIdentity(holder)).reveal();
    return { userId, orgId: holder.organizationId, orgName, accessKeyId, secretAccessKey };
  };
}

/** POST /orgs/{orgname}/manager/sync-token and …/user-token (spec §4.13, open-points 3.4). */
export function createSyncToken(
  { sealer, write }: Parts, of: SyncTokenOf = 'organization',
): Handler<typeof TokenServiceService.createSyncToken> {
  return async (request, context) => {
    const credentials = syncCredentials(request);
    const holder = syncTokenHolder(of, context);
    const { organizationId, userId } = holder;
    await write(context, [lock.permission(organizationId)], async (work) => {
      const organization = await readOrganization(work, organizationId, context.deadline);
      // Only an organization with a manager endpoint is of multi-cluster-manager origin (open-points 3.1).
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

/** DELETE /orgs/{orgname}/manager/sync-token and …/user-token (spec §4.13, open-points 3.4). */
export function deleteSyncToken(
  { write }: Parts, of: SyncTokenOf = 'organization',
): Handler<typeof TokenServiceService.deleteSyncToken> {
  return async (_request, context) => {
    const holder = syncTokenHolder(of, context);
    const { organizationId, userId } = holder;
    await write(context, [lock.permission(organizationId)], async (work) => {
      if (!(await remove(work, holder))) throw notFound('there is no such token');
      const details = userId === null ? {} : { userId };
      work.audit({ action: 'sync_token.delete', object: `organization:${organizationId}`, organizationId, details });
    });
    return {};
  };
}

/**
 * Parses a request that sets a sync token (open-points 3.4). `name` is the key id, and `sha1` is the secret. Without a
 * `name`, `sha1` contains both, separated by the first colon.
 * @throws Fault VALIDATION_FAILED
 */
function syncCredentials(
  { name = '', sha1 = '' }: { name?: string | undefined; sha1?: string | undefined },
): SyncCredentials {
  const violations = new Violations();
  const colon = sha1.indexOf(':');
  const [accessKeyId, secret] = name === '' ? [sha1.slice(0, Math.max(colon, 0)), sha1.slice(colon + 1)] : [name, sha1];
  if (name === '' && (accessKeyId === '' || secret === '')) {
    violations.note('sha1', 'must be `key:secret` if no name is given');
  } else if (secret === '') {
    violations.note('sha1', 'must not be empty');
  }
  violations.note(name === '' ? 'sha1' : 'name', lengthProblem(accessKeyId, { most: 255 }));
  violations.note('sha1', lengthProblem(secret, { most: 4_096 }));
  violations.refuse();
  return { accessKeyId, secretAccessKey: new Secret(secret) };
}
