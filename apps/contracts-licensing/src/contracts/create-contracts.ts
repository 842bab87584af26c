import { randomUUID } from 'node:crypto';
import { nameClosedOwners } from '@platform/owners';
import type { ContractServiceService, NewContract } from '@platform/proto/contracts/v1/contract';
import { invalidValue } from '@platform/values';
import type { CallContext, Handler } from '@platform/rpc';
import { type OwnerAccount, rememberAccount } from '../accounts/find-account.ts';
import { contractTable } from '../contract-table.ts';
import type { Parts } from '../parts.ts';
import { insertBindings } from './binding-store.ts';
import { toContract } from './contract-row.ts';
import { newContractsFrom } from './new-contracts.ts';
import { readContractsById } from './read-contracts.ts';
import { insertContracts } from './store.ts';

/** POST /contracts (spec §4.3): one contract per product, all or none (open-points 5.1). */
export function createContracts(parts: Parts): Handler<typeof ContractServiceService.createContracts> {
  const { change, database, products } = parts;
  return async ({ contract: form }, context) => {
    const { contracts, bindings } = newContractsFrom(form!, products, new Date());
    const owner = await ownerOf(parts, form!, context);
    const rows = contracts.map(({ product, terms }) => ({
      ...terms, product: product.alias, ownerId: owner.id, idempotencyKey: randomUUID(),
    }));
    const create = () => change(context, async (work) => {
      await rememberAccount(work, owner);
      const ids = await insertContracts(work, rows);
      const bound = await insertBindings(work, ids, bindings);
      await work.record(
        ...ids.map((contractId) => ({ contractId, event: 'contract.created' as const })),
        ...bound.map(({ contractId, clusterUid }) => ({ contractId, event: `cluster.added ${clusterUid}` as const })),
      );
      const created = await readContractsById(work, ids);
      return { contracts: created.map((row) => toContract(row, 'admin')) };
    });
    return nameClosedOwners(database, contractTable, [owner.id], context.deadline, create);
  };
}

/** Who gets the contracts: `uid`, else `orgOrUser` of the form, else `org`, else the caller (open-points 5.1). */
async function ownerOf(
  { findAccount }: Parts, { uid, orgOrUser }: NewContract, context: CallContext,
): Promise<OwnerAccount> {
  const { id, name: slug, kind } = context.account!;
  const isActing = (uid ?? id) === id && (orgOrUser ?? slug).toLowerCase() === slug.toLowerCase();
  if (isActing) return { id, slug, kind };
  const owner = await findAccount({ id: uid, slug: orgOrUser }, context);
  if (owner !== undefined) return owner;
  const path = uid === undefined ? 'orgOrUser' : 'uid';
  const message = orgOrUser === undefined || uid === undefined
    ? 'is no account that can own contracts'
    : 'is not the id of the account that orgOrUser names';
  throw invalidValue([{ path, message }]);
}
