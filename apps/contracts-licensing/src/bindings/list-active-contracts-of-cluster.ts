import { type Database, sql } from '@platform/postgres';
import type { ContractLookupServiceService } from '@platform/proto/contracts/v1/lookup';
import type { Handler } from '@platform/rpc';
import { invalidValue, uuidProblem } from '@platform/values';
import { isActive } from '../contracts/binding-row.ts';

/** Returns the ids of the owner's active contracts that have the cluster, ascending. @throws Fault INVALID_VALUE */
export function listActiveContractsOfCluster(
  database: Database,
): Handler<typeof ContractLookupServiceService.listActiveContractsOfCluster> {
  return async ({ ownerId, uid }, { deadline }) => {
    const problem = uuidProblem(uid);
    if (problem !== undefined) throw invalidValue([{ path: 'uid', message: problem }]);
    const rows = await database.query(sql<{ id: number }>`
      select contract.id
        from contract_cluster bound join contract on contract.id = bound.contract_id
       where bound.cluster_uid = ${uid} and contract.owner_id = ${ownerId} and ${isActive(sql`contract`)}
       order by contract.id`, { deadline });
    return { contractIds: rows.map(({ id }) => id) };
  };
}
