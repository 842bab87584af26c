import type { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import type { Handler } from '@platform/rpc';
import { fullNameProblem, slugProblem, Violations } from '@platform/values';
import { insertOrganization } from '../accounts/organizations.ts';
import { organizationTypes } from '../accounts/visibility.ts';
import type { Parts } from '../parts.ts';
import type { Work } from '../write/write.ts';
import { findClaim, hasClaimForm, insertClaim, lockClaim, makeClaimable, readClaim } from './claims.ts';

/**
 * Creates the standalone organization of a claim if there is none (open-points 11.5). The organization has no owner
 * until a user claims it. With `claimable`, also makes the organization claimable.
 */
export function putClaim({ write }: Parts): Handler<typeof ClaimServiceService.putClaim> {
  return async ({ claimId: id = '', username = '', fullName, claimable }, context) => {
    const violations = new Violations();
    if (!hasClaimForm(id)) violations.note('claimID', 'must be 26 upper-case letters and digits');
    violations.note('username', slugProblem(username));
    violations.note('fullName', fullNameProblem(fullName));
    violations.refuse();
    return write(context, [], async (work) => {
      await lockClaim(work, id);
      const known = await findClaim(work, id, context.deadline);
      const organizationId = known?.organizationId ?? (await insertStandalone(work, { id, username, fullName }));
      if (claimable) await letClaim(work, id, organizationId);
      return { organizationId, username: known?.slug ?? username };
    });
  };
}

/** Marks an existing standalone organization as claimable (open-points 11.5). */
export function markClaimable({ write }: Parts): Handler<typeof ClaimServiceService.markClaimable> {
  return async ({ claimId: id }, context) => write(context, [], async (work) => {
    const { organizationId } = await readClaim(work, id, context.deadline);
    await letClaim(work, id, organizationId);
    return {};
  });
}

async function letClaim(work: Work, id: string, organizationId: number): Promise<void> {
  if (!(await makeClaimable(work, id))) return;
  work.audit({
    action: 'organization.make_claimable', object: `organization:${organizationId}`, organizationId,
    details: { claimId: id },
  });
}

async function insertStandalone(
  work: Work, { id, username, fullName }: { id: string; username: string; fullName: string },
): Promise<number> {
  const { id: organizationId } = await insertOrganization(work, {
    name: username, fullName, description: '', website: '', location: '', visibility: 'private',
    orgType: organizationTypes.ordinary, managerEndpoint: '',
  });
  await insertClaim(work, { id, organizationId, claimable: false });
  work.audit({
    action: 'organization.create', object: `organization:${organizationId}`, organizationId,
    details: { name: username, claimId: id },
  });
  work.settles(organizationId);
  return organizationId;
}
