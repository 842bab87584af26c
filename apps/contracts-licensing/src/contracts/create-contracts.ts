import { randomUUID } from 'node:crypto';
import { nameClosedOwners, type OwnerAccount } from '@platform/owners';
import type { ContractServiceService, NewContract } from '@platform/proto/contracts/v1/contract';
import { invalidValue, refuseTooMany } from '@platform/values';
import type { AccountContext, Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { rememberAccount } from '../accounts/store.ts';
import { insertBindings } from './binding-store.ts';
import { toContract } from './contract-row.ts';
import { clusterAdded } from './events.ts';
import { newContractsFrom } from './new-contracts.ts';
import { readContractsById } from './read-contracts.ts';
import { contractTable, insertContracts } from './store.ts';

const mostProducts = 20;

/** POST /contracts (spec §4.3): creates one contract per product, all or none (open-points 5.1). */
export function createContracts(parts: Parts): Handler<typeof ContractServiceService.createContracts> {
  const { change, database, documents, products } = parts;
  return async ({ contract: form }, context) => {
    refuseTooMany('products', form!.products?.items ?? [], mostProducts);
    const { contracts, bindings } = newContractsFrom(form!, products, new Date());
    const owner = await ownerOf(parts, form!, context);
    const document = form!.document === undefined ? '' : await documents.keep(form!.document, context);
    const rows = contracts.map(({ product, terms }) => ({
      ...terms, product: product.alias, document, ownerId: owner.id, idempotencyKey: randomUUID(),
    }));
    const create = () => change(context, async (work) => {
      await rememberAccount(work, owner);
      const ids = await insertContracts(work, rows);
      const bound = await insertBindings(work, ids, bindings);
      await work.record(
        ...ids.map((contractId) => ({ contractId, event: 'contract.created' as const })),
        ...(document === '' ? [] : ids).map((contractId) => (
          { contractId, event: 'contract.document_uploaded' as const })),
        ...bound.map(clusterAdded),
      );
      return { contracts: (await readContractsById(work, ids)).map((row) => toContract(row, 'admin')) };
    });
    return nameClosedOwners(database, contractTable, [owner.id], context.deadline, create);
  };
}

/**
 * Returns the account that `uid` or `orgOrUser` names. The default is the acting account.
 * @throws Fault INVALID_VALUE if there is no such account, or if `uid` and `orgOrUser` name different accounts
 */
async function ownerOf(
  { owners }: Parts, { uid, orgOrUser }: NewContract, context: AccountContext,
): Promise<OwnerAccount> {
  const { account } = context;
  const isNamed = ({ id, name }: OwnerAccount) =>
    (uid ?? id) === id && (orgOrUser ?? name).toLowerCase() === name.toLowerCase();
  if (isNamed(account)) return account;
  const path = uid === undefined ? 'orgOrUser' : 'uid';
  const owner = uid === undefined
    ? await owners.byName(orgOrUser!, context)
    : (await owners.byId([uid], context)).get(uid);
  if (owner === undefined) throw invalidValue([{ path, message: 'is not an account that can own contracts' }]);
  if (isNamed(owner)) return owner;
  throw invalidValue([{ path, message: 'is not the id of the account in orgOrUser' }]);
}
