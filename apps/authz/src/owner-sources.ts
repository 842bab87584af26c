import { unavailable } from '@platform/faults';
import type { ObjectOwner, ResolveOwnersRequest, ResolveOwnersResponse } from '@platform/proto/owners/v1/owners';
import type { OutgoingContext } from '@platform/rpc';
import type { AskableType } from './domain/object-identifier.ts';

type ResolveOwners = (request: ResolveOwnersRequest, call: OutgoingContext) => Promise<ResolveOwnersResponse>;

/** For each object type, a function that returns owners of objects. A type without a configured service is absent. */
export type OwnerSources = Readonly<Partial<Record<AskableType, ResolveOwners>>>;

const idsPerCall = 1_000;

/**
 * Returns the owners of objects of one type, by object id. Objects that do not exist are left out.
 * @throws Fault UNAVAILABLE if no service is configured for this type; also the fault of a failed call
 */
export async function ownersOf(
  sources: OwnerSources, type: AskableType, ids: readonly number[], call: OutgoingContext,
): Promise<Map<number, ObjectOwner>> {
  const resolve = sources[type];
  if (resolve === undefined) throw unavailable(`the service that knows objects of type ${type}`);
  const distinct = [...new Set(ids)];
  const found = new Map<number, ObjectOwner>();
  for (let from = 0; from < distinct.length; from += idsPerCall) {
    const { owners } = await resolve({ type, ids: distinct.slice(from, from + idsPerCall) }, call);
    for (const owner of owners) found.set(owner.id, owner);
  }
  return found;
}
