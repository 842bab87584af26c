import type { Transaction } from '@platform/postgres';
import { refuseOtherRevision } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { type BareContractRow, toContract } from './contract-row.ts';
import { readContract } from './read-contracts.ts';

/** Call it while the contract is locked (open-points 18.8). @throws Fault PRECONDITION_FAILED */
export async function refuseChanged(
  work: Transaction, { id, ownerId }: BareContractRow, ifMatch: string | undefined, deadline: Deadline,
): Promise<void> {
  if (ifMatch === undefined) return;
  const shown = (await readContract(work, id, ownerId, deadline))!;
  refuseOtherRevision(ifMatch, toContract(shown, 'admin'));
}
