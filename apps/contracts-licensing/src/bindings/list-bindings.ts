import { byId, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { ContractClusterServiceService } from '@platform/proto/contracts/v1/binding';
import type { Handler } from '@platform/rpc';
import type { RequiredOwner } from '../accounts/scope.ts';
import { ownedBy } from '../accounts/store.ts';
import { type BindingRow, bindingsOfContract, toClusterStatus } from '../contracts/binding-row.ts';
import { contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';

/** GET …/contracts/{id}/clusters, for site admins (spec §4.3) and for users (spec §4.4). */
export function listClusters(
  { database, config }: Parts, requiredOwner: RequiredOwner,
): Handler<typeof ContractClusterServiceService.listContractClusters> {
  return async (request, context) => {
    const page = pageOf(request, config);
    const listed = await readPage<BindingRow>(database, {
      rows: sql`select id from contract_cluster where contract_id = ${request.id}`,
      order: byId,
      count: sql`
        select (select count(*) from contract_cluster where contract_id = contract.id)
          from contract where id = ${request.id} and ${ownedBy(requiredOwner(context))}`,
      details: sql`
        select bound.*
          from contract cross join lateral (${bindingsOfContract} and binding.id = item.id) bound
         where contract.id = ${request.id}`,
    }, page, context.deadline);
    if (listed === undefined) throw contractMissing();
    return { clusters: listed.items.map(toClusterStatus), total: listed.total, next: listed.next };
  };
}
