/** Rows with the largest memory first, then by their ties, ascending (open-points 7.2). */
export function largestFirst<Row>(
  rows: readonly Row[], memory: (row: Row) => bigint, ...ties: readonly ((row: Row) => string | number)[]
): Row[] {
  const measured = rows.map((row) => {
    const exact = memory(row);
    return { row, exact, rough: Number(exact) };
  });
  measured.sort((one, other) => {
    // Rounding keeps the order, and numbers are compared much faster.
    if (one.rough !== other.rough) return other.rough - one.rough;
    if (one.exact !== other.exact) return one.exact > other.exact ? -1 : 1;
    for (const tie of ties) {
      const [mine, yours] = [tie(one.row), tie(other.row)];
      if (mine !== yours) return mine < yours ? -1 : 1;
    }
    return 0;
  });
  return measured.map(({ row }) => row);
}
