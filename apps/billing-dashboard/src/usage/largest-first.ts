/**
 * Rows with the largest memory first, then by their ties, ascending (open-points 7.2). Those of the same memory are
 * sorted when they are reached, so that the first ones are had early.
 * @param key their first tie
 */
export function* largestFirst<Row>(
  rows: readonly Row[], memory: (row: Row) => bigint, key: (row: Row) => string,
  ...ties: readonly ((row: Row) => string | number)[]
): Generator<Row, void, undefined> {
  const allTies = [key, ...ties];
  const byMemory = Map.groupBy(rows, memory);
  for (const most of [...byMemory.keys()].sort((one, other) => (one > other ? -1 : 1))) {
    // 100,000 rows are compared a million times: most of them by numbers.
    const keyed = byMemory.get(most)!.map((row) => ({ row, beginning: beginningOf(key(row)) }));
    keyed.sort((one, other) => {
      if (one.beginning !== other.beginning) return one.beginning - other.beginning;
      for (const tie of allTies) {
        const [mine, yours] = [tie(one.row), tie(other.row)];
        if (mine !== yours) return mine < yours ? -1 : 1;
      }
      return 0;
    });
    for (const { row } of keyed) yield row;
  }
}

/** A number of the first six characters of a text. Where those of two texts differ, they order as the texts do. */
function beginningOf(text: string): number {
  let beginning = 0;
  let isCut = false;
  for (let place = 0; place < 6; place += 1) {
    // Other characters than the first 254 are as one, and so is what follows them.
    const code: number = isCut || place >= text.length ? 0 : Math.min(text.charCodeAt(place) + 1, 255);
    isCut ||= code === 255;
    beginning = beginning * 256 + code;
  }
  return beginning;
}
