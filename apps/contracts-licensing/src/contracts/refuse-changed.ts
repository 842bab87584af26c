import type { Transaction } from '@platform/postgres';
import { refuseOtherRevision } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import type { Parts } from '../parts.ts';
import { type Audience, type BareContractRow, toContract } from './contract-row.ts';
import { readContract } from './read-contracts.ts';

/**
 * Refuses a change if the locked contract does not have the revision in `If-Match` (open-points 18.8).
 * @param audience audience of the GET that returned the revision
 * @throws Fault PRECONDITION_FAILED
 */
export async function refuseChanged(
  { observed }: Parts, work: Transaction, { id, ownerId }: BareContractRow,
  { ifMatch, audience, deadline }: { ifMatch: string | undefined; audience: Audience; deadline: Deadline },
): Promise<void> {
  if (ifMatch === undefined) return;
  refuseOtherRevision(ifMatch, toContract(await readContract(work, id, ownerId, deadline), audience), observed);
}
