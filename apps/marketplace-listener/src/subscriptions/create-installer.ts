import { Fault, notFound, translate, unavailable } from '@platform/faults';
import { addJobs, defineTask } from '@platform/jobs';
import { UniqueViolation } from '@platform/postgres';
import type { CreateInstallerRequest, InstallerAdminServiceService } from '@platform/proto/marketplace/v1/installer';
import type { Handler, OutgoingContext } from '@platform/rpc';
import { Secret } from '@platform/service';
import { invalidValue, nameTaken, slugProblem, Violations, webAddressProblem } from '@platform/values';
import { insertAudit } from '../audit/store.ts';
import { newClaimId, newPublicId, newStandaloneName } from '../installers/ids.ts';
import { findOwnerless, insertInstaller, type NewInstaller, renameOwner, setOwner } from '../installers/store.ts';
import { isMarketplace, type Marketplace, marketplaces } from '../marketplaces.ts';
import type { Parts } from '../parts.ts';
import { insertOfInstaller } from './store.ts';

export const makeOwnerJob = defineTask<{ installerId: number }>('make-standalone-organization');

/** Delay before the job starts, in milliseconds. Until then, the request itself tries to create the organization. */
const requestMs = 15_000;

/**
 * `platform admin installer create`: stores an installer. If the request names no owner, then creates a standalone
 * organization as the owner (open-points 11.2). If orgs-teams is unavailable, a job creates the organization later.
 */
export function createInstaller(parts: Parts): Handler<typeof InstallerAdminServiceService.createInstaller> {
  const { database, sealer, owners } = parts;
  return async (request, context) => {
    const { owner: ownerName } = request;
    const wanted = requestedInstaller(request);
    const owner = ownerName === undefined ? undefined : await owners.byName(ownerName, context);
    if (ownerName !== undefined && owner === undefined) throw notFound(`there is no account ${ownerName}`);
    const installer: NewInstaller = {
      ...wanted, publicId: newPublicId(), ownerId: owner?.id ?? null, ownerName: owner?.name ?? newStandaloneName(),
      claimId: owner === undefined ? newClaimId() : null,
    };
    const subscriptionId = installer.marketplace === 'ProviderB' ? undefined : newPublicId();
    const id = await database.transact(async (transaction) => {
      const installerId = await insertInstaller(transaction, sealer, installer);
      if (subscriptionId !== undefined) {
        const subscription = await insertOfInstaller(transaction, subscriptionId, installer.marketplace, installerId);
        await insertAudit(transaction, subscription, {
          operation: 'subscribe', status: 'success', description: 'The installer was created.',
          data: { installerId: installer.publicId, name: installer.name },
        });
      }
      if (owner === undefined) await addJobs(transaction, [makeOwnerJob({ installerId }, { afterMs: requestMs })]);
      return installerId;
    }, { deadline: context.deadline }).catch((error: unknown) => {
      if (error instanceof UniqueViolation && error.constraint === 'installer_name_of_owner') {
        throw nameTaken(installer.name, error);
      }
      throw error;
    });
    return {
      installerId: installer.publicId, subscriptionId, claimId: installer.claimId ?? undefined,
      owner: owner?.name ?? (await makeOwner(parts, id, context).catch(ifLater)) ?? installer.ownerName,
    };
  };
}

/**
 * Returns undefined for the errors "unavailable" and "deadline exceeded", because {@link makeOwnerJob} tries again
 * later. Throws any other error.
 */
function ifLater(error: unknown): undefined {
  if (!['UNAVAILABLE', 'DEADLINE_EXCEEDED'].includes(translate(error).reason)) throw error;
}

/** Maximum number of names to try. A random name may already belong to another account. */
const attempts = 5;

/**
 * Creates the standalone organization of an installer. The claim id ensures that a repeated call creates no second
 * organization.
 * @returns the name of the organization; undefined if the installer already has an owner
 */
export async function makeOwner(
  { database, claims }: Pick<Parts, 'database' | 'claims'>, installerId: number, context: OutgoingContext,
): Promise<string | undefined> {
  const options = { deadline: context.deadline };
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const installer = await findOwnerless(database, installerId, options);
    if (installer === undefined) return undefined;
    const { claimId, ownerName } = installer;
    try {
      const request = { claimId, username: ownerName, fullName: '', claimable: false };
      const { organizationId, username } = await claims.putClaim(request, context);
      await setOwner(database, installerId, { id: organizationId, name: username }, options);
      return username;
    } catch (error) {
      if (!(error instanceof Fault) || error.reason !== 'ALREADY_EXISTS') throw error;
      await renameOwner(database, installer, newStandaloneName(), options);
    }
  }
  throw unavailable('a name for the standalone organization');
}

/** @throws Fault INVALID_VALUE */
function requestedInstaller(request: CreateInstallerRequest) {
  const { marketplace = '', name = '', meteringUrl = '', meteringToken = '' } = request;
  const violations = new Violations();
  if (!isMarketplace(marketplace)) violations.note('marketplace', `must be one of ${marketplaces.join(', ')}`);
  violations.note('name', slugProblem(name));
  violations.note('meteringUrl', webAddressProblem(meteringUrl, ['https', 'http']));
  if ((meteringUrl === '') !== (meteringToken === '')) {
    const message = 'is missing: set both the metering URL and the metering token, or neither';
    violations.note(meteringUrl === '' ? 'meteringUrl' : 'meteringToken', message);
  }
  if (/[^\x21-\x7e]/.test(meteringToken) || meteringToken.length > 512) {
    violations.note('meteringToken', 'must have at most 512 printable ASCII characters, without spaces');
  }
  violations.refuse(invalidValue);
  return {
    marketplace: marketplace as Marketplace, name, hostedBaseUrl: meteringUrl.replace(/\/+$/, ''),
    token: meteringToken === '' ? undefined : new Secret(meteringToken),
  };
}
