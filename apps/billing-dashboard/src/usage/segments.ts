import { type LateStatement, raiseBy } from './late-changes.ts';
import { contractAt, covers, type Terms, type UsageClass, type Window } from './terms.ts';
import type { Use, Version } from './version.ts';

/** A period in which an object used the same amount under the same terms. */
export interface Segment extends Window {
  /**
   * Time of the event that states the mode. It may be before the segment. For joined segments, it is the time of the
   * last of their events.
   */
  readonly eventAt: number;
  readonly cpu: bigint;
  readonly memory: bigint;
  /** 0 if no contract covers the segment. */
  readonly contractId: number;
  readonly class: UsageClass;
  readonly mode: string;
}

const freeUs = 30 * 86_400_000_000;

/**
 * Returns the use of an object over time (open-points 7.3). A version counts while its state is known, at most until
 * the next version. Use is split where the terms may change, and at the start of each UTC month.
 * @param versions ascending
 * @param late statements of events that arrived too late (open-points 13.5), ascending
 * @param firstAt time of the first event of the object
 */
export function segmentsOf(
  versions: readonly Version[], late: readonly LateStatement[], firstAt: number, terms: Terms,
): Segment[] {
  const edges = [...terms.contracts, ...terms.trials].flatMap(({ from, to }) => [from, to]);
  edges.push(firstAt + freeUs);
  return raiseBy(usesOf(versions), versions, late).flatMap(({ version, ...use }) =>
    cut(use, edges).map((piece) => ({
      ...piece, eventAt: version.at, cpu: version.cpu, memory: version.memory, mode: version.mode,
      ...classOf(version, piece.from, firstAt, terms),
    })));
}

/**
 * Joins consecutive segments (ascending) of the same month if nothing changes between them. A segment whose event is in
 * the future is not joined to the previous one, because views of the usage up to now leave such a segment out.
 */
export function joinSegments(segments: readonly Segment[], now: number): Segment[] {
  const joined: Segment[] = [];
  for (const next of segments) {
    const last = joined.at(-1);
    const goesOn = last !== undefined && last.to === next.from && isSameUse(last, next)
      && last.contractId === next.contractId && last.class === next.class
      && next.eventAt <= now && next.from !== monthOf(next.from);
    if (goesOn) joined[joined.length - 1] = { ...last, to: next.to, eventAt: next.eventAt };
    else joined.push(next);
  }
  return joined;
}

type Amounts = Pick<Segment, 'cpu' | 'memory' | 'mode'>;

export function isSameUse(one: Amounts, other: Amounts): boolean {
  return one.cpu === other.cpu && one.memory === other.memory && one.mode === other.mode;
}

/**
 * Returns the periods in which an object is known to have the state of a version. A deletion has no period.
 * @param versions ascending
 */
function usesOf(versions: readonly Version[]): Use[] {
  return versions.flatMap((version, place) => {
    if (version.type === 'deleted') return [];
    const until = versions[place + 1]?.at ?? Infinity;
    return version.seen.map(({ from, to }) => ({ version, from, to: Math.min(to, until) }))
      .filter(({ from, to }) => from < to);
  });
}

function classOf(
  { mode, resourceTrial }: Use['version'], moment: number, firstAt: number, terms: Terms,
): Pick<Segment, 'contractId' | 'class'> {
  const contract = contractAt(terms, moment);
  if (contract === undefined) {
    return { contractId: 0, class: terms.trials.some((window) => covers(window, moment)) ? 'free' : 'none' };
  }
  const isFree = resourceTrial && moment < firstAt + freeUs;
  return { contractId: contract.contractId, class: isFree ? 'free' : mode === 'prod' ? 'prod' : 'nonProd' };
}

/** Cuts a window at the edges inside it, and at the borders of months. */
function cut({ from, to }: Window, edges: readonly number[]): Window[] {
  const inside = new Set(edges.filter((edge) => from < edge && edge < to));
  for (let border = nextMonth(from); border < to; border = nextMonth(border)) inside.add(border);
  const starts = [from, ...[...inside].toSorted((one, other) => one - other)];
  return starts.map((start, place) => ({ from: start, to: starts[place + 1] ?? to }));
}

/** Returns the start of the UTC month that contains a time. Both times are in microseconds since 1970. */
export function monthOf(microseconds: number): number {
  const day = new Date(microseconds / 1000);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1) * 1000;
}

export function nextMonth(microseconds: number): number {
  const day = new Date(microseconds / 1000);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1) * 1000;
}
