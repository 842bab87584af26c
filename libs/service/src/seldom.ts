/** Maximum number of kinds of log lines to remember. Above it, the kind whose last line is the oldest is forgotten. */
const mostKinds = 100;

/**
 * Limits log lines to one line per kind in `everyMs` milliseconds. It remembers up to {@link mostKinds} kinds.
 * @returns a function to call for each event. It returns undefined if the event should not be logged. Otherwise it
 *   returns how many events were left out since the last line of this kind: 0 for a new or forgotten kind
 */
export function seldom(
  everyMs = 10_000, now: () => number = () => performance.now(),
): (kind: string) => number | undefined {
  const kinds = new Map<string, { at: number; leftOut: number }>();
  return (kind) => {
    const at = now();
    const last = kinds.get(kind);
    if (last !== undefined && at - last.at < everyMs) {
      last.leftOut += 1;
      return undefined;
    }
    kinds.delete(kind);
    kinds.set(kind, { at, leftOut: 0 });
    if (kinds.size > mostKinds) kinds.delete(kinds.keys().next().value!);
    return last?.leftOut ?? 0;
  };
}
