import type { Use, Version } from './segments.ts';
import { covers, type Window } from './terms.ts';

/**
 * Late changes (open-points 13.5): late events do not lower the use that events in time have proven. Times are
 * microseconds since 1970.
 */

/** A copy of an event: the time that it states, and the time at which it arrived. */
export interface Arrival {
  readonly time: number;
  readonly receivedAt: number;
}

/** A copy that arrives within this time after its own time proves the state of the object. */
const inTimeUs = 600_000_000;

export function isInTime({ time, receivedAt }: Arrival): boolean {
  return Math.abs(receivedAt - time) <= inTimeUs;
}

/**
 * Whether a copy arrived too late to count at its own time.
 * @param provenAt latest time of the copies that had arrived in time before this copy; -Infinity if there are none
 * @param lateUs `usage.lateChanges`
 */
export function isBelated({ time, receivedAt }: Arrival, provenAt: number, lateUs: number): boolean {
  return receivedAt - time > lateUs && time < provenAt;
}

type Amounts = Pick<Version, 'cpu' | 'memory'>;

/** Whether a statement lowers an amount that counts at the time of the statement. */
export function lowers(statement: Amounts, counted: Amounts): boolean {
  return statement.cpu < counted.cpu || statement.memory < counted.memory;
}

/** What a belated event states about a time that was proven before it arrived. */
export interface LateStatement extends Omit<Version, 'type' | 'seen'> {
  /** The end of the statement. */
  readonly until: number;
}

/**
 * Applies belated statements. Each statement counts until the next event, and only where it lowers no amount. Where use
 * is proven, a statement changes only the amounts; mode and terms stay.
 * @param uses ascending
 * @param versions ascending: the versions of the uses, and deletions
 * @param statements ascending; of statements with the same time, the last one counts
 */
export function raiseBy(
  uses: readonly Use[], versions: readonly Pick<Version, 'at'>[], statements: readonly LateStatement[],
): readonly Use[] {
  if (statements.length === 0) return uses;
  const late = statements.map((version, place): Use => {
    const next = versions.find(({ at }) => at > version.at)?.at ?? Infinity;
    return { version, from: version.at, to: Math.min(version.until, next, statements[place + 1]?.at ?? Infinity) };
  }).filter(({ from, to }) => from < to);
  const raised = uses.flatMap((use) => piecesOf(use, late).map((piece) => {
    const { cpu, memory } = late.find((one) => covers(one, piece.from))?.version ?? use.version;
    const isLower = lowers({ cpu, memory }, use.version);
    return { ...piece, version: isLower ? use.version : { ...use.version, cpu, memory } };
  }));
  const added = late.flatMap((one) => piecesOf(one, uses)
    .filter((piece) => !uses.some((use) => covers(use, piece.from)))
    .map((piece) => ({ ...piece, version: one.version })));
  return [...raised, ...added].toSorted((one, other) => one.from - other.from);
}

/** Cuts a window at the edges of other windows. */
function piecesOf({ from, to }: Window, others: readonly Window[]): Window[] {
  const inside = others.flatMap((other) => [other.from, other.to]).filter((edge) => from < edge && edge < to);
  const starts = [...new Set([from, ...inside])].toSorted((one, other) => one - other);
  return starts.map((start, place) => ({ from: start, to: starts[place + 1] ?? to }));
}
