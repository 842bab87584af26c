import { unavailable } from '@platform/faults';
import type { ObjectOwner, ResolveOwnersRequest, ResolveOwnersResponse } from '@platform/proto/owners/v1/owners';
import type { OutgoingContext } from '@platform/rpc';
import type { AskableType } from './domain/object-identifier.ts';

type ResolveOwners = (request: ResolveOwnersRequest, call: OutgoingContext) => Promise<ResolveOwnersResponse>;

/** For each type of object, the service that knows the owners. A type is missing if its service is not configured. */
export type OwnerSources = Readonly<Partial<Record<AskableType, ResolveOwners>>>;

const idsPerCall = 1_000;

/**
 * The owners of objects of one type. Ids that do not exist are left out.
 * @throws Fault UNAVAILABLE when the service of this type is not configured or does not answer
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
