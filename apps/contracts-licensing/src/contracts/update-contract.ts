import { isDeepStrictEqual } from 'node:util';
import { runNow } from '@platform/jobs';
import { sql } from '@platform/postgres';
import type { ContractServiceService } from '@platform/proto/contracts/v1/contract';
import type { Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import { removeDocuments } from '../documents/documents.ts';
import type { Parts } from '../parts.ts';
import { changedContract, refuseImpossible } from './changed-contract.ts';
import { toContract } from './contract-row.ts';
import { lockContract, readContract } from './read-contracts.ts';
import { refuseChanged } from './refuse-changed.ts';
import { updateContract as rewrite } from './store.ts';

/** PUT /contracts/{id} (spec §4.3, open-points 5.1). */
export function updateContract(parts: Parts): Handler<typeof ContractServiceService.updateContract> {
  const { change, documents, products } = parts;
  return async ({ id, contract: form, ifMatch }, context) => {
    refuseImpossible(form!);
    const ownerId = namedOwner(context);
    const document = form!.document === undefined ? undefined : await documents.keep(form!.document, context);
    return change(context, async (work) => {
      const before = await lockContract(work, id, ownerId);
      await refuseChanged(parts, work, before, { ifMatch, audience: 'admin', deadline: context.deadline });
      const after = changedContract(before, form!, products);
      if (!isDeepStrictEqual(after, before)) {
        await rewrite(work, id, after);
        await work.record({ contractId: id, event: 'contract.updated' });
      }
      if (document !== undefined) {
        await work.execute(sql`update contract set document = ${document} where id = ${id}`);
        await work.record({ contractId: id, event: 'contract.document_uploaded' });
        if (before.document !== '') work.effect(runNow(removeDocuments));
      }
      return toContract(await readContract(work, id, ownerId, context.deadline), 'admin');
    });
  };
}
