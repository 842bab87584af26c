import { type InsertMissing, moveRow, type OwnedRow, putRows } from '@platform/owners';
import { sql } from '@platform/postgres';
import type { ContractOwnerServiceService, ContractToPut, OwnedContract } from '@platform/proto/contracts/v1/owners';
import type { Handlers } from '@platform/rpc';
import { insertBindings } from './binding-store.ts';
import { bindingsFrom } from './cluster-references.ts';
import { clusterAdded, insertEvents, type NewEvent, system } from './events.ts';
import { newContractsFrom } from './new-contracts.ts';
import { contractTable, insertContracts } from './store.ts';
import type { Parts } from '../parts.ts';
import type { Products } from '../products/products.ts';
import { secondsOf } from '../values.ts';
import { listOwnedContracts } from './list-owned-contracts.ts';

const year = 365 * 24 * 60 * 60;

/** Internal methods that add, move and list contracts. */
export function contractOwnerMethods({ database, products }: Parts): Handlers<typeof ContractOwnerServiceService> {
  const put = putRows(database, contractTable);
  const move = moveRow(database, contractTable);
  return {
    putContracts: async ({ contracts }, { deadline }) => {
      const given = contracts.map(({ idempotencyKey: key, ownerId, name }) => ({ key, ownerId, name }));
      return { contracts: (await put(given, deadline, insertMissing(contracts, products))).map(toOwnedContract) };
    },
    moveContract: async (request, { deadline }) => toOwnedContract(await move(request, deadline)),
    listOwnedContracts: listOwnedContracts(database),
  };
}

/** Inserts the contracts that do not exist yet. `rows` are in the order of `contracts`. */
function insertMissing(contracts: readonly ContractToPut[], products: Products): InsertMissing<'name'> {
  return async (transaction, _table, rows) => {
    const keys = rows.map(({ key }) => key);
    const known = new Set((await transaction.query(sql<{ key: string }>`
      select idempotency_key as key from contract where idempotency_key = any (${keys}::uuid[])`)).map(({ key }) => key));
    const missing = rows.flatMap(({ key, ownerId, name }, index) =>
      (known.has(key) ? [] : [{ key, ownerId, ...readContract({ ...contracts[index]!, name }, products) }]));
    const ids = await insertContracts(transaction, missing.map(({ key: idempotencyKey, ownerId, product, terms }) => (
      { ...terms, product, ownerId, idempotencyKey })));
    // `ids` does not contain contracts that a concurrent call has inserted in the meantime.
    const inserted = new Map((await transaction.query(sql<{ key: string; id: number }>`
      select idempotency_key as key, id from contract where id = any (${ids}::bigint[])`)).map(({ key, id }) => [key, id]));
    const events: NewEvent[] = ids.map((contractId) => ({ contractId, event: 'contract.created' }));
    for (const { key, bindings } of missing) {
      const id = inserted.get(key);
      if (id === undefined || bindings.length === 0) continue;
      events.push(...(await insertBindings(transaction, [id], bindings)).map(clusterAdded));
    }
    await insertEvents(transaction, system, events);
  };
}

function readContract({ name, product = 'platform', start, end, clusters }: ContractToPut, products: Products) {
  const now = new Date();
  const from = start ?? secondsOf(now);
  const form = { name, products: { items: [product] }, start: from, end: end ?? from + year };
  const read = newContractsFrom(form, products, now);
  const bindings = bindingsFrom('clusters', clusters.map((cluster) => ({ cluster, tags: [] })));
  return { product, terms: read.contracts[0]!.terms, bindings };
}

function toOwnedContract({ id, name, ownerId, createdAt }: OwnedRow<'name'>): OwnedContract {
  return { id, name, ownerId, createdAt: secondsOf(createdAt) };
}
