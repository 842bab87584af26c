import type { StoredMessage } from '@platform/bus';
import type { MemberEvent } from './member-event.ts';

/** One copy of an event. Times are microseconds since 1970. */
export interface Copy {
  readonly time: number;
  /**
   * For an event of `enterHistory`, the time of the last repetition, or `time` if the event was not repeated. For an
   * event from the bus, always `time`, because each repetition is a separate copy.
   */
  readonly until: number;
  /** The time of arrival. It decides whether the event is late. For an event of `enterHistory`, it equals `time`. */
  readonly receivedAt: number;
  readonly message: StoredMessage;
  /** Position of the copy in the batch. The batch is in order of arrival. */
  readonly place: number;
}

export type ArrivedEvent = Omit<Copy, 'place'> & { readonly event: MemberEvent };

export interface Copies {
  readonly event: MemberEvent;
  readonly copies: readonly Copy[];
  readonly receivedAt: Date;
  readonly lastReceivedAt: Date;
}

/** Groups the copies of each event, in the order in which the events first arrived. */
export function joinCopies(arrived: readonly ArrivedEvent[]): Copies[] {
  const placed = arrived.map((one, place) => ({ ...one, place }));
  const byIdentity = Map.groupBy(placed, ({ event }) => `${objectKey(event)}\n${event.identity.toString('base64')}`);
  return [...byIdentity.values()].map((all) => {
    const moments = all.map(({ message }) => message.storedAt.getTime());
    return {
      event: all[0]!.event, copies: all,
      receivedAt: new Date(Math.min(...moments)), lastReceivedAt: new Date(Math.max(...moments)),
    };
  });
}

/**
 * Returns a key for the object that an event reports. The key is JSON, because texts from a cluster may contain any
 * separator.
 */
export function objectKey({ member, group, resource, subject }: MemberEvent): string {
  return JSON.stringify([member.ownerId, member.clusterUid, member.productName, group, resource, subject]);
}

export function meteredKey({ member, metered }: MemberEvent): string | undefined {
  return metered && JSON.stringify([member.ownerId, member.clusterUid, metered.product, metered.objectUid]);
}

/** How long a copy of an event proves the state of the object: two hours, in microseconds (open-points 7.3). */
export const seenForUs = 7_200_000_000;

/**
 * Returns the periods for which copies of an event prove the state of the object, as a `tstzmultirange`.
 * @param copies with times in microseconds since 1970
 */
export function seenBy(copies: readonly { readonly time: number; readonly until: number }[]): string {
  return `{${copies.map(({ time, until }) => `[${moment(time)},${moment(until + seenForUs)})`).join()}}`;
}

/** Formats microseconds since 1970 as the bound of a PostgreSQL time range. */
function moment(microseconds: number): string {
  const seconds = Math.floor(microseconds / 1_000_000);
  const fraction = String(microseconds - seconds * 1_000_000).padStart(6, '0');
  return `"${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z"`;
}
