import type { Database } from '@platform/postgres';
import type { PutContractsRequest, PutContractsResponse } from '@platform/proto/contracts/v1/owners';
import type { Handler } from '@platform/rpc';
import { contractsFromMessage, contractToMessage } from '../convert.ts';
import { changedMeanwhile, ownedBySomebodyElse } from '../faults.ts';
import { nameClosedOwners } from '../name-closed-owners.ts';
import { addMissing, type ContractRow, lockByKey, type NewContract, rename } from '../store/contracts.ts';

export function putContracts(database: Database): Handler<PutContractsRequest, PutContractsResponse> {
  return async (request, { deadline }) => {
    const contracts = contractsFromMessage(request);
    if (contracts.length === 0) return { contracts: [] };
    const ownerIds = contracts.map(({ ownerId }) => ownerId);
    const rows = await nameClosedOwners(database, ownerIds, deadline, () =>
      database.transact(async (transaction) => {
        await addMissing(transaction, contracts);
        const found = await lockByKey(transaction, contracts.map(({ idempotencyKey }) => idempotencyKey));
        const inOrder = inOrderOf(contracts, found);
        const renamed = contracts.filter(({ name }, index) => name !== inOrder[index]!.name);
        if (renamed.length > 0) await rename(transaction, renamed);
        return inOrder;
      }, { deadline }));
    // The rows are those found, under the names given.
    return { contracts: rows.map((row, index) => contractToMessage({ ...row, ...contracts[index] })) };
  };
}

function inOrderOf(contracts: readonly NewContract[], found: readonly ContractRow[]): ContractRow[] {
  const byKey = new Map(found.map((row) => [row.idempotencyKey, row]));
  const rows = contracts.map(({ idempotencyKey }) => byKey.get(idempotencyKey));
  const foreign = contracts.flatMap(({ ownerId }, index) =>
    (rows[index] ?? { ownerId }).ownerId === ownerId
      ? []
      : [{ path: `contracts[${index}].idempotencyKey`, message: 'belongs to another account' }]);
  if (foreign.length > 0) throw ownedBySomebodyElse(foreign);
  if (rows.includes(undefined)) throw changedMeanwhile();
  return rows as ContractRow[];
}
