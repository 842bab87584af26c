import { TokenBuckets } from '@platform/limits';
import { type Member, memberKey } from './member-subjects.ts';

/** Limits on the events of agents in member clusters (open-points 13.5). Each replica counts separately. */
export interface ShareRates {
  /** Maximum average of events per second, for all agents of an organization together. One agent may use half of it. */
  readonly eventsPerSecond: number;
  /** Maximum average of bytes per second, for all agents of an organization together. One agent may use half of it. */
  readonly bytesPerSecond: number;
  /** Maximum bytes of an organization's stored events that are not read yet. One agent may use half of them. */
  readonly waitingBytes: number;
}

export interface ShareRefusal {
  readonly reason: string;
  readonly retrySeconds: number;
}

/** A burst may have as many events and bytes as the rates permit in this number of seconds. */
const burstSeconds = 60;

/**
 * Returns a function that counts an event and its bytes. If a rate of the organization or of the agent is used up, the
 * function returns a refusal, and does not count the event. Otherwise, it returns undefined.
 */
export function createShares(
  { eventsPerSecond, bytesPerSecond }: ShareRates,
): (member: Member, bytes: number) => ShareRefusal | undefined {
  const bucketsOf = (perSecond: number) => new TokenBuckets<string>({ perSecond, burst: burstSeconds * perSecond });
  const rates = [
    { what: 'events of the organization', buckets: bucketsOf(eventsPerSecond), isOfMember: false, isBytes: false },
    { what: 'bytes of the organization', buckets: bucketsOf(bytesPerSecond), isOfMember: false, isBytes: true },
    { what: 'events of the member', buckets: bucketsOf(eventsPerSecond / 2), isOfMember: true, isBytes: false },
    { what: 'bytes of the member', buckets: bucketsOf(bytesPerSecond / 2), isOfMember: true, isBytes: true },
  ];
  return (member, bytes) => {
    const keyOf = (isOfMember: boolean) => (isOfMember ? memberKey(member) : String(member.ownerId));
    const full = rates.find(({ buckets, isOfMember }) => buckets.isEmpty(keyOf(isOfMember)));
    if (full !== undefined) return { reason: `too many ${full.what}`, retrySeconds: 1 };
    for (const { buckets, isOfMember, isBytes } of rates) buckets.take(keyOf(isOfMember), isBytes ? bytes : 1);
    return undefined;
  };
}
