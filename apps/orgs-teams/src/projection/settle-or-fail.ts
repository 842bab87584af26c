import { unavailable } from '@platform/faults';
import type { SettleRequest, SettleResponse } from '@platform/proto/orgs/v1/identity';
import type { OutgoingContext } from '@platform/rpc';
import { shrink } from '@platform/service';
import type { Parts } from '../parts.ts';

/**
 * Settles an organization, because no decision is possible while its changes are pending (authorization.md,
 * projection).
 * @throws Fault UNAVAILABLE if the organization could not be settled in time
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
