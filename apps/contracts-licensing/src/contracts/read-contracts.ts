import { byId, type Listed, type Page, readPage } from '@platform/lists';
import { type Fragment, type Queryable, sql, type Transaction } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { ownedBy } from '../accounts/store.ts';
import { contractMissing } from '../faults.ts';
import { isActive } from './binding-row.ts';
import {
  bareContractColumns, type BareContractRow, contractColumns, type ContractRow, pageColumns,
} from './contract-row.ts';
import { withDuplicates } from './find-duplicates.ts';

/** SQL conditions on the table `contract`, for lists of contracts. */
export const contractsWhere = {
  active: isActive(sql`contract`),
  offline: sql`contract.allow_offline`,
  withCluster: hasCluster,
  withoutCluster: (uid: string) => sql`not (${hasCluster(uid)})`,
} as const;

/** Returns a page of the contracts that match all conditions, by ascending id. */
export function readContracts(
  queryable: Queryable, conditions: readonly Fragment[], page: Page, deadline: Deadline,
): Promise<Listed<ContractRow>> {
  return read(queryable, sql.join(conditions, sql` and `), sql`true`, page, deadline);
}

/**
 * Returns a page of all contracts, or of all contracts of an account, by ascending id. If the page contains all these
 * contracts, this process finds their duplicates in the page, and PostgreSQL does not search for duplicates.
 */
export async function readAllContracts(
  queryable: Queryable, ownerId: number | undefined, page: Page, deadline: Deadline,
): Promise<Listed<ContractRow>> {
  const isFirst = page.offset === 0 && page.after === undefined;
  const isPart = isFirst ? sql`whole.total > ${page.limit}::bigint` : sql`true`;
  const listed = await read(queryable, ownedBy(ownerId), isPart, page, deadline);
  return isFirst && listed.total <= page.limit ? { ...listed, items: withDuplicates(listed.items) } : listed;
}

/** @param isPart SQL condition: duplicates of the contracts may be missing from the page */
async function read(
  queryable: Queryable, where: Fragment, isPart: Fragment, page: Page, deadline: Deadline,
): Promise<Listed<ContractRow>> {
  const listed = await readPage<ContractRow>(queryable, {
    rows: sql`select id from contract where ${where}`,
    order: byId,
    count: sql`select count(*) from contract where ${where}`,
    details: sql`
      select ${pageColumns} from contract cross join (select ${isPart} as is_part) page where contract.id = item.id`,
  }, page, deadline);
  return listed!;
}

/** @throws Fault NOT_FOUND if the contract does not exist or, with `ownerId`, if the contract has another owner */
export async function readContract(
  queryable: Queryable, id: number, ownerId: number | undefined, deadline: Deadline,
): Promise<ContractRow> {
  const row = await queryable.maybeOne(sql<ContractRow>`
    select ${contractColumns} from contract where contract.id = ${id} and ${ownedBy(ownerId)}`, { deadline });
  if (row === undefined) throw contractMissing();
  return row;
}

/**
 * Locks a contract, so that changes of the contract and of its clusters wait for each other.
 * @throws the fault of `missing` if the contract does not exist or, with `ownerId`, if the contract has another owner
 */
export async function lockContract(
  transaction: Transaction, id: number, ownerId: number | undefined, missing = contractMissing,
): Promise<BareContractRow> {
  const row = await transaction.maybeOne(sql<BareContractRow>`
    select ${bareContractColumns} from contract
     where contract.id = ${id} and ${ownedBy(ownerId)} for no key update of contract`);
  if (row === undefined) throw missing();
  return row;
}

/** Locks the given contracts that belong to the account, by ascending id. */
export function lockContracts(
  transaction: Transaction, ids: readonly number[], ownerId: number,
): Promise<BareContractRow[]> {
  return transaction.query(sql<BareContractRow>`
    select ${bareContractColumns} from contract
     where contract.id = any (${ids}::bigint[]) and ${ownedBy(ownerId)}
     order by contract.id for no key update of contract`);
}

/** Contracts with their clusters, in the order of the given ids; missing contracts are left out. */
export function readContractsById(queryable: Queryable, ids: readonly number[]): Promise<ContractRow[]> {
  return queryable.query(sql<ContractRow>`
    select ${contractColumns} from contract where contract.id = any (${ids}::bigint[])
     order by array_position(${ids}::bigint[], contract.id)`);
}

/** SQL condition: the contract has the cluster. The array is computed once for a query, not for each contract. */
function hasCluster(uid: string): Fragment {
  return sql`
    contract.id = any (array(select contract_id from contract_cluster where cluster_uid = ${uid}::uuid))`;
}
