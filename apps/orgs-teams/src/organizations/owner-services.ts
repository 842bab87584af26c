import { Fault, unavailable } from '@platform/faults';
import type { CloseOwnerRequest, ReopenOwnerRequest } from '@platform/proto/owners/v1/owners';
import type { OutgoingContext, OwnerPeer } from '@platform/rpc';

/** The number of objects that a service holds for an account. */
export interface Holder {
  readonly name: string;
  readonly held: number;
}

/**
 * Closes the account in all services at the same time, and returns how many objects each service holds. Waits for all
 * services even after a failure, because the account must not be reopened while a service is still closing it
 * (authorization.md W5).
 * @throws Fault CONFLICT if a service answers CONFLICT; UNAVAILABLE for any other failure of a service. If several
 *   services fail, the first of them in `services` decides
 */
export async function closeOwner(
  services: readonly OwnerPeer[], request: Required<CloseOwnerRequest>, call: OutgoingContext,
): Promise<readonly Holder[]> {
  return allOf(services.map(async (service) => ({
    name: service.name, held: (await service.closeOwner(request, call)).held,
  }))).catch((cause: unknown) => {
    if (cause instanceof Fault && cause.reason === 'CONFLICT') throw cause;
    throw unavailable('a service that may hold objects of this account', cause);
  });
}

/** Reopens the account in each service, unless a later deletion has closed it there. @throws when a service fails */
export async function reopenOwner(
  services: readonly OwnerPeer[], request: Required<ReopenOwnerRequest>, call: OutgoingContext,
): Promise<void> {
  await allOf(services.map((service) => service.reopenOwner(request, call)));
}

/** Waits until all promises are fulfilled or rejected. @throws the failure of a rejected promise */
async function allOf<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
