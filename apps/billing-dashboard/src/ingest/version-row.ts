import { meteredKey, objectKey, seenBy } from './arrived-event.ts';
import type { Judged } from './judge-copies.ts';
import type { LockedObject } from './lock-objects.ts';

export type VersionRow = ReturnType<typeof versionRow>;

/** Builds the row of `object_version` for copies of an event. */
export function versionRow(
  { event, place, receivedAt, lastReceivedAt }: Judged, counted: Judged['counted'],
  objects: ReadonlyMap<string, number>, metered: ReadonlyMap<string, LockedObject>,
) {
  const amounts = event.metered;
  const key = meteredKey(event);
  return {
    place, object_id: objects.get(objectKey(event))!, identity: event.identity.toString('hex'),
    type: event.type, licence_id: event.licenceId, generation: event.generation,
    seen: seenBy(counted), said_us: null as number | null, received_at: receivedAt, last_received_at: lastReceivedAt,
    metered_id: key === undefined ? null : metered.get(key)!.id,
    owner_id: amounts === undefined ? null : event.member.ownerId,
    cpu: amounts?.cpu.toString() ?? null, memory: amounts?.memory.toString() ?? null,
    storage: amounts?.storage.toString() ?? null, replicas: amounts?.replicas ?? null,
    mode: amounts?.mode ?? null, resource_trial: amounts?.resourceTrial ?? null, detail: amounts?.detail ?? null,
    spec_uid: amounts === undefined ? event.specUid || null : null,
  };
}
