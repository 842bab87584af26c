import type { CloseOwnerRequest, CloseOwnerResponse, ReopenOwnerRequest } from '@platform/proto/owners/v1/owners';
import type { OutgoingContext } from '@platform/rpc';

/** A service that holds objects of accounts and can close an account (authorization.md W5). */
export interface OwnerService {
  readonly name: string;
  /** From now on nothing can be added for the account; returns how many objects there are. */
  closeOwner(request: CloseOwnerRequest, call: OutgoingContext): Promise<CloseOwnerResponse>;
  /** Opens the account again. Harmless when it was never closed. */
  reopenOwner(request: ReopenOwnerRequest, call: OutgoingContext): Promise<unknown>;
}

/** Asks all services at once how much they hold for an account. @throws what the first that fails throws */
export async function closeOwner(
  services: readonly OwnerService[],
  ownerId: number,
  call: OutgoingContext,
): Promise<readonly { name: string; held: number }[]> {
  return Promise.all(services.map(async (service) => ({
    name: service.name,
    held: (await service.closeOwner({ ownerId }, call)).held,
  })));
}

/** Reopens an account at all services. @throws when one of them fails */
export async function reopenOwner(
  services: readonly OwnerService[],
  ownerId: number,
  call: OutgoingContext,
): Promise<void> {
  const told = await Promise.allSettled(services.map((service) => service.reopenOwner({ ownerId }, call)));
  const failed = told.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
