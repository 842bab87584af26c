/** So many kinds are remembered; of more, the one that was reported longest ago is forgotten. */
const mostKinds = 100;

/**
 * Keeps what happens again and again from flooding a log: of each kind one line in a while.
 * @param everyMs least time between two lines of a kind, in milliseconds; default 10,000
 * @returns for each event of a kind: how many were left out since the last line, or undefined where this one is, too
 */
export function seldom(
  everyMs = 10_000,
  now: () => number = () => performance.now(),
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
