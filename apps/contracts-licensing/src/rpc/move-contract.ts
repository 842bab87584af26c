import type { Database } from '@platform/postgres';
import type { Contract, MoveContractRequest } from '@platform/proto/contracts/v1/owners';
import type { Handler } from '@platform/rpc';
import { contractToMessage, idsFromFields } from '../convert.ts';
import { contractNotFound } from '../faults.ts';
import { nameClosedOwners } from '../name-closed-owners.ts';
import { move } from '../store/contracts.ts';

export function moveContract(database: Database): Handler<MoveContractRequest, Contract> {
  return async (request, { deadline }) => {
    const { id, ownerId } = idsFromFields({ id: request.id, ownerId: request.ownerId });
    const row = await nameClosedOwners(database, [ownerId], deadline, () => move(database, id, ownerId, { deadline }));
    if (!row) throw contractNotFound();
    return contractToMessage(row);
  };
}
