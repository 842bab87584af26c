import { unavailable } from '@platform/faults';
import type { SettleRequest, SettleResponse } from '@platform/proto/orgs/v1/identity';
import type { OutgoingContext } from '@platform/rpc';
import { shrink } from '@platform/service';
import type { Parts } from '../parts.ts';

/**
 * Settles an organization for a guard of this or another service, because a guard cannot decide while changes are
 * pending (authorization.md, projection). @throws Fault UNAVAILABLE
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
