import { covers, type Window } from './terms.ts';
import type { Use, Version } from './version.ts';

/** Late events do not lower use that timely events proved (open-points 13.5). Times are microseconds since 1970. */

/** A copy of an event: the time that it states, and the time at which it arrived. */
type Arrival = Readonly<Record<'time' | 'receivedAt', number>>;

/** A copy is in time if the time that it states differs from its arrival by at most this number of microseconds. */
const inTimeUs = 600_000_000;

export function isInTime({ time, receivedAt }: Arrival): boolean {
  return Math.abs(receivedAt - time) <= inTimeUs;
}

/**
 * Whether a copy arrived too late to lower the use at the time that the copy states.
 * @param provenAt latest time of the copies that arrived earlier and in time; -Infinity if there are none
 * @param lateUs `usage.lateChanges`, in microseconds
 */
export function isBelated({ time, receivedAt }: Arrival, provenAt: number, lateUs: number): boolean {
  return receivedAt - time > lateUs && time < provenAt;
}

type Amounts = Pick<Version, 'cpu' | 'memory'>;

export function lowers(statement: Amounts, counted: Amounts): boolean {
  return statement.cpu < counted.cpu || statement.memory < counted.memory;
}

/** The state of an object according to an event that arrived too late. */
export interface LateStatement extends Omit<Version, 'type' | 'seen'> {
  /** The statement counts until this time at the latest. */
  readonly until: number;
}

/**
 * Adds late statements to the use of an object. A statement counts until its end, the next version or the next
 * statement, whichever is first. Where the object has no use, the statement adds use. Where the object has use, the
 * statement replaces `cpu` and `memory`, unless it lowers one of them. All lists are ascending. Of statements with the
 * same time, the last one counts.
 * @param versions all versions of the object, including deletions
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
