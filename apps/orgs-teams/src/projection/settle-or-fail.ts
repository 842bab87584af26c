import { unavailable } from '@platform/faults';
import type { SettleRequest, SettleResponse } from '@platform/proto/orgs/v1/identity';
import type { OutgoingContext } from '@platform/rpc';
import { shrink } from '@platform/service';
import type { Parts } from '../parts.ts';

/**
 * Writes the pending changes of an organization to the authorization engine. Call this before a decision that depends
 * on these changes (authorization.md R5).
 * @throws Fault UNAVAILABLE if not all changes could be written
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
