/**
 * Rows with the largest memory first, then by their ties, ascending (open-points 7.2). Those of the same memory are
 * sorted when they are reached, so that the first ones are had early.
 */
export function* largestFirst<Row>(
  rows: readonly Row[], memory: (row: Row) => bigint, ...ties: readonly ((row: Row) => string | number)[]
): Generator<Row, void, undefined> {
  const byMemory = Map.groupBy(rows, memory);
  for (const most of [...byMemory.keys()].sort((one, other) => (one > other ? -1 : 1))) {
    yield* byMemory.get(most)!.sort((one, other) => {
      for (const tie of ties) {
        const [mine, yours] = [tie(one), tie(other)];
        if (mine !== yours) return mine < yours ? -1 : 1;
      }
      return 0;
    });
  }
}
