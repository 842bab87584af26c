import { unavailable } from '@platform/faults';
import type { SettleRequest, SettleResponse } from '@platform/proto/orgs/v1/identity';
import type { OutgoingContext } from '@platform/rpc';
import { shrink } from '@platform/service';
import type { Parts } from '../parts.ts';

/**
 * Settles an organization before a decision that depends on its pending changes (authorization.md R5).
 * @throws Fault UNAVAILABLE if the organization could not be settled
 */
export function settle(
  { projection }: Pick<Parts, 'projection'>,
): (request: SettleRequest, call: OutgoingContext) => Promise<SettleResponse> {
  return async ({ organizationId }, { deadline }) => {
    const settled = await projection.settle(organizationId, shrink(deadline));
    if (!settled) throw unavailable('authorization');
    return { settled };
  };
}
