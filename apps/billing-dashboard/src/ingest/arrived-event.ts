import type { StoredMessage } from '@platform/bus';
import type { MemberEvent } from './member-event.ts';

export interface ArrivedEvent {
  readonly event: MemberEvent;
  /** When the event was repeated last, in microseconds. For an event from the bus, the time of the event. */
  readonly untilUs: number;
  readonly message: StoredMessage;
  /** Time of arrival, in microseconds. It decides whether the event is late. */
  readonly arrivedUs: number;
}

/** One copy of an event. Times are microseconds since 1970. */
export interface Copy {
  readonly time: number;
  readonly until: number;
  readonly receivedAt: number;
  readonly message: StoredMessage;
  /** Position of the copy in the batch. The batch is in order of arrival. */
  readonly place: number;
}

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
      event: all[0]!.event,
      copies: all.map(({ event, untilUs, message, arrivedUs, place }) => ({
        time: event.time, until: untilUs, receivedAt: arrivedUs, message, place,
      })),
      receivedAt: new Date(Math.min(...moments)), lastReceivedAt: new Date(Math.max(...moments)),
    };
  });
}

/** A key for the reported object of an event. It is JSON, because the texts of a cluster may contain anything. */
export function objectKey({ member, group, resource, subject }: MemberEvent): string {
  return JSON.stringify([member.ownerId, member.clusterUid, member.productName, group, resource, subject]);
}

/** A key for the metered object of an event; undefined if the event is not metered. */
export function meteredKey({ member, metered }: MemberEvent): string | undefined {
  return metered && JSON.stringify([member.ownerId, member.clusterUid, metered.product, metered.objectUid]);
}
