import { notFound } from '@platform/faults';
import type { ContractServiceService } from '@platform/proto/contracts/v1/contract';
import type { DocumentServiceService } from '@platform/proto/contracts/v1/document';
import type { UserContractServiceService } from '@platform/proto/contracts/v1/user_contract';
import type { CallContext, Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import { contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { findDocument } from './store.ts';

/** Receives the document of POST /contracts (open-points 5.1). */
export function uploadNewDocument({ documents }: Parts): Handler<typeof ContractServiceService.uploadNewDocument> {
  return (requests, context) => documents.receive(requests, context);
}

/** Receives the document of PUT /contracts/{id}. */
export function uploadDocument({ documents }: Parts): Handler<typeof ContractServiceService.uploadDocument> {
  return (requests, context) => documents.receive(requests, context);
}

/** GET /contracts/{id}/document (spec §4.3). */
export function getDocumentLink(parts: Parts): Handler<typeof ContractServiceService.getDocumentLink> {
  return ({ id }, context) => linkOf(parts, id, namedOwner(context), context);
}

/** GET /user/contracts/{id}/document (spec §4.4). */
export function getUserDocumentLink(parts: Parts): Handler<typeof UserContractServiceService.getUserDocumentLink> {
  return ({ id }, context) => linkOf(parts, id, context.account.id, context);
}

/** GET /files/… for the link to a document (open-points 5.1, 5.7). */
export function downloadDocument({ documents }: Parts): Handler<typeof DocumentServiceService.downloadDocument> {
  return (request, context) => documents.download(request, context);
}

async function linkOf(
  { database, documents }: Parts, id: number, ownerId: number | undefined, { deadline }: CallContext,
): Promise<{ url: string }> {
  const document = await findDocument(database, id, ownerId, deadline);
  if (document === undefined) throw contractMissing();
  if (document === '') throw notFound('the contract has no document');
  return { url: documents.link(id, document) };
}
