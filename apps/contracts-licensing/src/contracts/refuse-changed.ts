import type { Transaction } from '@platform/postgres';
import { refuseOtherRevision } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import type { Parts } from '../parts.ts';
import { type Audience, type BareContractRow, toContract } from './contract-row.ts';
import { readContract } from './read-contracts.ts';

/**
 * Refuses a change if `If-Match` is given and does not match the revision of the locked contract (open-points 18.8).
 * @param audience the audience of the GET request that returned the revision
 * @throws Fault PRECONDITION_FAILED
 */
export async function refuseChanged(
  { observed }: Parts, work: Transaction, { id, ownerId }: BareContractRow,
  { ifMatch, audience, deadline }: { ifMatch: string | undefined; audience: Audience; deadline: Deadline },
): Promise<void> {
  if (ifMatch === undefined) return;
  refuseOtherRevision(ifMatch, toContract(await readContract(work, id, ownerId, deadline), audience), observed);
}
