/** Maximum number of remembered kinds of lines. Above it, the kind with the oldest line is forgotten. */
const mostKinds = 100;

/**
 * Limits repeated log lines to one line per kind in `everyMs` milliseconds, for up to {@link mostKinds} kinds.
 * @returns a function to call for each event: it returns the number of events left out since the last line of this
 *   kind, or undefined if this event should be left out, too
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
