/** Returns a sort key of a row. Rows with the same memory are in ascending order of their keys. */
type Tie<Row> = (row: Row) => string | number;

/** Rows with the same memory. `beginnings[i]` is {@link beginningOf} the first sort key of `rows[i]`. */
interface Equals<Row> {
  readonly rows: Row[];
  readonly beginnings: number[];
}

/**
 * Orders rows by memory, largest first, then by sort keys (open-points 7.2). `inOrder` sorts rows with the same memory
 * only when it reaches these rows, so the first rows are available early.
 */
export class LargestFirst<Row> {
  readonly #ties: readonly Tie<Row>[];
  readonly #byMemory = new Map<bigint, Equals<Row>>();

  constructor(...ties: readonly [(row: Row) => string, ...(readonly Tie<Row>[])]) {
    this.#ties = ties;
  }

  /** @param key first sort key of the row: the result of the first function in `ties` */
  add(row: Row, memory: bigint, key: string): void {
    let equals = this.#byMemory.get(memory);
    if (equals === undefined) this.#byMemory.set(memory, (equals = { rows: [], beginnings: [] }));
    equals.rows.push(row);
    equals.beginnings.push(beginningOf(key));
  }

  get size(): number {
    return this.#byMemory.values().reduce((sum, { rows }) => sum + rows.length, 0);
  }

  /** All rows in no particular order. */
  *values(): Generator<Row, void, undefined> {
    for (const { rows } of this.#byMemory.values()) yield* rows;
  }

  *inOrder(): Generator<Row, void, undefined> {
    for (const memory of [...this.#byMemory.keys()].sort((one, other) => (one > other ? -1 : 1))) {
      const { rows, beginnings } = this.#byMemory.get(memory)!;
      const places = Uint32Array.from(rows.keys()).sort((one, other) => beginnings[one]! - beginnings[other]!);
      for (let start = 0, end = 0; start < places.length; start = end) {
        while (end < places.length && beginnings[places[end]!] === beginnings[places[start]!]) end += 1;
        if (end - start === 1) yield rows[places[start]!]!;
        else yield* this.#byTies(Array.from(places.subarray(start, end), (place) => rows[place]!));
      }
    }
  }

  #byTies(rows: readonly Row[]): Row[] {
    return rows.map((row) => ({ row, ties: this.#ties.map((tie) => tie(row)) }))
      .sort((one, other) => {
        const place = one.ties.findIndex((tie, at) => tie !== other.ties[at]);
        return place === -1 ? 0 : one.ties[place]! < other.ties[place]! ? -1 : 1;
      })
      .map(({ row }) => row);
  }
}

/** Returns the rows in the order of {@link LargestFirst}: by `memory`, largest first, then by `key`. */
export function largestFirst<Row>(
  rows: readonly Row[], memory: (row: Row) => bigint, key: (row: Row) => string,
): IteratorObject<Row, void, undefined> {
  const ordered = new LargestFirst(key);
  for (const row of rows) ordered.add(row, memory(row), key(row));
  return ordered.inOrder();
}

/**
 * Returns a number for the first six characters of a text. Different numbers have the same order as their texts.
 */
function beginningOf(text: string): number {
  let beginning = 0;
  let isCut = false;
  for (let place = 0; place < 6; place += 1) {
    // All characters from U+00FE on get the same code, and the characters after such a character are ignored.
    const code: number = isCut || place >= text.length ? 0 : Math.min(text.charCodeAt(place) + 1, 255);
    isCut ||= code === 255;
    beginning = beginning * 256 + code;
  }
  return beginning;
}
