import { unavailable } from '@platform/faults';
import type { IdentityServiceService, SettleRequest, SettleResponse } from '@platform/proto/orgs/v1/identity';
import type { Handler, OutgoingContext } from '@platform/rpc';
import { shrink } from '@platform/service';
import type { Parts } from '../parts.ts';

/** Settles an organization for a guard, which cannot decide while changes are pending. @throws Fault UNAVAILABLE */
export function settleOrFail(
  { projection }: Pick<Parts, 'projection'>,
): (request: SettleRequest, call: OutgoingContext) => Promise<SettleResponse> {
  return async ({ organizationId }, { deadline }) => {
    const settled = await projection.settle(organizationId, shrink(deadline));
    if (!settled) throw unavailable('authorization');
    return { settled };
  };
}

/** Settles an organization for the guards of the other services (authorization.md, projection). */
export function settle(parts: Parts): Handler<typeof IdentityServiceService.settle> {
  return settleOrFail(parts);
}
