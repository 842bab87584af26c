import { Fault, unavailable } from '@platform/faults';
import type { CloseOwnerRequest, CloseOwnerResponse, ReopenOwnerRequest } from '@platform/proto/owners/v1/owners';
import type { OutgoingContext } from '@platform/rpc';

/** A service that holds objects of accounts and can close an account (authorization.md W5). */
export interface OwnerService {
  readonly name: string;
  /** Refuses new objects of the account from now on; returns how many objects the account has in this service. */
  closeOwner(request: CloseOwnerRequest, call: OutgoingContext): Promise<CloseOwnerResponse>;
  /** Accepts objects of the account again. Does nothing if the account is not closed. */
  reopenOwner(request: ReopenOwnerRequest, call: OutgoingContext): Promise<unknown>;
}

/** The number of objects that a service holds for an account. */
export interface Holder {
  readonly name: string;
  readonly held: number;
}

/**
 * Closes the account in all services at the same time, and returns how many objects each service has. Waits for all
 * services even after a failure, because the account must not be reopened while a service is still closing it.
 * @throws Fault CONFLICT when the deletion with this mark is over, UNAVAILABLE when a service does not answer
 */
export async function closeOwner(
  services: readonly OwnerService[], request: Required<CloseOwnerRequest>, call: OutgoingContext,
): Promise<readonly Holder[]> {
  return allOf(services.map(async (service) => ({
    name: service.name, held: (await service.closeOwner(request, call)).held,
  }))).catch((cause: unknown) => {
    if (cause instanceof Fault && cause.reason === 'CONFLICT') throw cause;
    throw unavailable('a service that may hold objects of this account', cause);
  });
}

/** Reopens an account at all services. @throws when one of them fails */
export async function reopenOwner(
  services: readonly OwnerService[], request: Required<ReopenOwnerRequest>, call: OutgoingContext,
): Promise<void> {
  await allOf(services.map((service) => service.reopenOwner(request, call)));
}

/** Waits until all promises are fulfilled or rejected. @throws the first failure */
async function allOf<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
