import { Fault } from '@platform/faults';
import type { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import type { Handler } from '@platform/rpc';
import { toOrganization } from '../accounts/convert.ts';
import { insertMember } from '../accounts/members.ts';
import { readOrganization } from '../accounts/read-organization.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { findOldestClaim, markClaimed, readClaim } from './claims.ts';

/** GET /orgs/claim/ (spec §4.13, open-points 11.5). */
export function getOldestClaim({ database }: Parts): Handler<typeof ClaimServiceService.getOldestClaim> {
  return async (_request, { deadline }) => {
    const claimId = await findOldestClaim(database, deadline);
    return { isClaimable: claimId !== undefined, claimId: claimId ?? '' };
  };
}

/** Returns the organization of a claim and the state of the claim. */
export function getClaim({ database }: Parts): Handler<typeof ClaimServiceService.getClaim> {
  return async ({ claimId }, { deadline }) => {
    const { organizationId, slug: username, claimable, claimedAt } = await readClaim(database, claimId, deadline);
    return { organizationId, username, claimable, claimed: claimedAt !== null };
  };
}

/** PATCH /orgs/claim/{claimID} (spec §4.13, open-points 11.5). At most one of several concurrent calls succeeds. */
export function claimOrganization(
  { config, database, write }: Parts,
): Handler<typeof ClaimServiceService.claimOrganization> {
  return async ({ claimId }, context) => {
    const { caller } = context;
    const { organizationId, ownersTeamId } = await readClaim(database, claimId, context.deadline);
    const locks = [lock.account(caller.id), lock.structure(organizationId), lock.team(ownersTeamId)];
    return write(context, locks, async (work) => {
      const { claimable, claimedAt: before } = await readClaim(work, claimId, context.deadline);
      if (before !== null) throw new Fault('ALREADY_CLAIMED', 'this organization has been claimed already');
      if (!claimable) throw new Fault('NOT_CLAIMABLE', 'this organization cannot be claimed yet, try again later');
      const claimedAt = await markClaimed(work, claimId);
      await insertMember(work, { organizationId, teamId: ownersTeamId, userId: caller.id });
      work.audit({
        action: 'organization.claim', object: `organization:${organizationId}`, organizationId, details: { claimId },
      }, {
        action: 'team.add_member', object: `team:${ownersTeamId}`, organizationId, subjectIds: [caller.id],
        details: { userId: caller.id },
      });
      work.settles(organizationId);
      const organization = await readOrganization(work, organizationId, context.deadline);
      return { ...toOrganization(organization!, config.baseUrl), claimId, claimedAt };
    });
  };
}
