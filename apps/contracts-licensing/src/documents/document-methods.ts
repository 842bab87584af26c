import { notFound } from '@platform/faults';
import type { ContractServiceService } from '@platform/proto/contracts/v1/contract';
import type { Handler } from '@platform/rpc';
import type { RequiredOwner } from '../accounts/scope.ts';
import { contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { findDocument } from './store.ts';

/** GET …/contracts/{id}/document, for site admins (spec §4.3) and for users (spec §4.4). */
export function getDocumentLink(
  { database, documents }: Parts, requiredOwner: RequiredOwner,
): Handler<typeof ContractServiceService.getDocumentLink> {
  return async ({ id }, context) => {
    const document = await findDocument(database, id, requiredOwner(context), context.deadline);
    if (document === undefined) throw contractMissing();
    if (document === '') throw notFound('the contract has no document');
    return { url: documents.link(id, document) };
  };
}
