import type {
  IdentityServiceService, ReportLostStoreRequest, ReportLostStoreResponse,
} from '@platform/proto/orgs/v1/identity';
import type { Handler, OutgoingContext } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { rewriteIfLost } from './lost-store.ts';

/** Handles a report from a guard: the engine had no fence tuple of an organization (authorization.md R5). */
export function lostStoreReporter(
  { database, engine }: Pick<Parts, 'database' | 'engine'>,
): (request: ReportLostStoreRequest, call: OutgoingContext) => Promise<ReportLostStoreResponse> {
  return async ({ organizationId }, call) => {
    await rewriteIfLost(database, engine, organizationId, call);
    return {};
  };
}

export function reportLostStore(parts: Parts): Handler<typeof IdentityServiceService.reportLostStore> {
  return lostStoreReporter(parts);
}
