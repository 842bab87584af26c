import type { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { findOldestClaim } from './claims.ts';

/** GET /orgs/claim/ (spec §4.13, open-points 11.5). */
export function getOldestClaim({ database }: Parts): Handler<typeof ClaimServiceService.getOldestClaim> {
  return async (_request, { deadline }) => {
    const claimId = await findOldestClaim(database, deadline);
    return { isClaimable: claimId !== undefined, claimId: claimId ?? '' };
  };
}
