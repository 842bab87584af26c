import type { MemberEvent } from '../ingest/member-event.ts';

/** An event as a message brought it. */
export interface ArrivedEvent {
  readonly event: MemberEvent;
  /** Until when it was repeated, in microseconds: its own time for a message of the bus. */
  readonly untilUs: number;
  /** When the bus stored the message. */
  readonly receivedAt: Date;
}

/** An event with its copies in one batch. */
export interface Copies {
  readonly event: MemberEvent;
  /** Times of the copies, in microseconds, each with the end of its repeats. */
  readonly times: readonly { readonly from: number; readonly until: number }[];
  readonly receivedAt: Date;
  readonly lastReceivedAt: Date;
}

/** Puts the copies of an event together, in the order in which events first arrived. */
export function joinCopies(arrived: readonly ArrivedEvent[]): Copies[] {
  const byIdentity = Map.groupBy(arrived, ({ event }) => `${objectKey(event)}\n${event.identity.toString('base64')}`);
  return [...byIdentity.values()].map((copies) => {
    const moments = copies.map(({ receivedAt }) => receivedAt.getTime());
    return {
      event: copies[0]!.event,
      times: copies.map(({ event, untilUs }) => ({ from: event.time, until: untilUs })),
      receivedAt: new Date(Math.min(...moments)),
      lastReceivedAt: new Date(Math.max(...moments)),
    };
  });
}

/** Names the reported object of an event; JSON, because texts of members may hold anything. */
export function objectKey({ member, group, resource, subject }: MemberEvent): string {
  return JSON.stringify([member.ownerId, member.clusterUid, member.productName, group, resource, subject]);
}

/** Names the metered object of an event; undefined where it has none. */
export function meteredKey({ member, metered }: MemberEvent): string | undefined {
  return metered && JSON.stringify([member.ownerId, member.clusterUid, metered.product, metered.objectUid]);
}
