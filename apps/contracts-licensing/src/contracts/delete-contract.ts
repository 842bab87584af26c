import { runNow } from '@platform/jobs';
import { sql } from '@platform/postgres';
import type { ContractServiceService } from '@platform/proto/contracts/v1/contract';
import type { Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import { removeDocuments } from '../documents/documents.ts';
import type { Parts } from '../parts.ts';
import { lockContract } from './read-contracts.ts';
import { refuseChanged } from './refuse-changed.ts';

/** DELETE /contracts/{id} (spec §4.3): deletes the contract with its bindings, events and document. */
export function deleteContract(parts: Parts): Handler<typeof ContractServiceService.deleteContract> {
  const { change } = parts;
  return async ({ id, ifMatch }, context) => {
    const ownerId = namedOwner(context);
    return change(context, async (work) => {
      const before = await lockContract(work, id, ownerId);
      await refuseChanged(parts, work, before, { ifMatch, audience: 'admin', deadline: context.deadline });
      await work.execute(sql`delete from contract where id = ${id}`);
      const { name, product } = before;
      work.audit({
        action: 'contract.delete', object: `contract:${id}`, subjectIds: [before.ownerId], details: { name, product },
      });
      if (before.document !== '') work.effect(runNow(removeDocuments));
      return {};
    });
  };
}
