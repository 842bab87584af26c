import { type Fragment, sql } from '@platform/postgres';

export interface OrderKey {
  /** Name of a column of the rows, such as `updatedAt`. The column must never be null. */
  readonly column: string;
  /** `integer`: any integer type. `time`: timestamptz with microseconds. */
  readonly kind: keyof typeof kinds;
  readonly descending?: boolean;
}

/** The order of a list, created by {@link orderBy}. In the SQL fragments, `item` is a row of the list. */
export interface ListOrder {
  /** The content of `order by`. */
  readonly by: Fragment;
  /** The place of a row in the list, as a JSON text: the values of the row's keys. */
  readonly place: Fragment;
  /** Condition for the rows after the row with these keys. */
  after(keys: readonly string[]): Fragment;
  /** Decodes the `next` of an earlier answer. Returns undefined if the text is too long or invalid. */
  decode(next: string): readonly string[] | undefined;
}

/** Maximum length of a text that {@link ListOrder.decode} accepts, in characters. */
const longest = 4_096;

/** Converts keys to text and back, because JavaScript numbers cannot represent all values of every type. */
const kinds = {
  integer: {
    toText: (column: Fragment) => sql`${column}::text`,
    fromText: (text: string) => sql`${text}::bigint`,
    fits: isInteger,
  },
  text: {
    toText: (column: Fragment) => column,
    fromText: (text: string) => sql`${text}::text`,
    fits: (text: string) => text.isWellFormed() && !text.includes('\0'),
  },
  uuid: {
    toText: (column: Fragment) => sql`${column}::text`,
    fromText: (text: string) => sql`${text}::uuid`,
    fits: (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
  },
  time: {
    toText: (column: Fragment) => sql`(extract(epoch from ${column}) * 1000000)::bigint::text`,
    fromText: (text: string) => sql`(timestamptz 'epoch' + ${text}::bigint * interval '1 microsecond')`,
    // All times that RFC 3339 can express are in this range. `fromText` can be inexact by some microseconds for times
    // more than 285 years before or after 1970.
    fits: (text: string) => isInteger(text) && Math.abs(Number(text)) < 260_000_000_000_000_000,
  },
} as const;

/**
 * Creates the order of a list. The keys together must be unique, so that every row has its own place. An index on the
 * keys in the same directions makes reading with `after` fast. Call this function once per list, at module level.
 */
export function orderBy(...keys: readonly [OrderKey, ...OrderKey[]]): ListOrder {
  const parts = keys.map(({ column, kind, descending = false }) => {
    const reference = sql`item.${sql.identifier(column)}`;
    const { toText, fromText, fits } = kinds[kind];
    const by = descending ? sql`${reference} desc` : reference;
    return { column: reference, by, text: toText(reference), compare: descending ? before : behind, fromText, fits };
  });
  return {
    by: sql.join(parts.map(({ by }) => by)),
    place: sql`json_build_array(${sql.join(parts.map(({ text }) => text))})::text`,
    after: (values) => parts.reduceRight<Fragment | undefined>((rest, { compare, column, fromText }, index) =>
      compare(column, fromText(values[index]!), rest), undefined)!,
    decode: (next) => {
      const values = next.length <= longest ? parse(next) : undefined;
      if (!Array.isArray(values) || values.length !== parts.length) return undefined;
      const fit = parts.every(({ fits }, index) => typeof values[index] === 'string' && fits(values[index]));
      return fit ? values : undefined;
    },
  };
}

/** Ascending id: the order of most lists (open-points 1.8). */
export const byId = orderBy({ column: 'id', kind: 'integer' });

/** Encodes the {@link ListOrder.place} of a row as a text that {@link ListOrder.decode} reads. */
export function encodePlace(place: string): string {
  return Buffer.from(place).toString('base64url');
}

function behind(column: Fragment, value: Fragment, rest: Fragment | undefined): Fragment {
  return rest === undefined
    ? sql`${column} > ${value}`
    // PostgreSQL can use an index only for the first condition.
    : sql`${column} >= ${value} and (${column} > ${value} or ${rest})`;
}

function before(column: Fragment, value: Fragment, rest: Fragment | undefined): Fragment {
  return rest === undefined
    ? sql`${column} < ${value}` : sql`${column} <= ${value} and (${column} < ${value} or ${rest})`;
}

function parse(next: string): unknown {
  try {
    return JSON.parse(Buffer.from(next, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function isInteger(text: string): boolean {
  return /^(?:0|-?[1-9][0-9]{0,18})$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}
