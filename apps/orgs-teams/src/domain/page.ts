import { Fault } from '@platform/rpc';

/** The part of a list that was asked for, as a statement takes it. `Key` is what orders the list: an id, or a text. */
export interface Page<Key extends number | string = number> {
  /** Null: the whole list. */
  readonly limit: number | null;
  readonly offset: number;
  /** Null: from `offset`; else only what comes behind this key. */
  readonly after: Key | null;
}

/** What a request says of the part it wants. */
interface Asked<Key> {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly after?: Key | undefined;
}

const usualSize = 30;
const largestSize = 50;

/**
 * What `page`, `limit` and `after` of a request mean (open-points 1.8, ADR 0038). The gateway hands over what is in
 * order; whoever calls directly is held to the same rule: 0 counts as not given, a size above 50 as 50.
 * @throws Fault INVALID_PARAMETER for a negative number
 */
export function pageOf<Key extends number | string>({ page = 0, limit = 0, after }: Asked<Key>): Page<Key> {
  const negative = Object.entries({ page, limit, after: after ?? 0 }).filter(
    ([, value]) => typeof value === 'number' && value < 0,
  );
  if (negative.length > 0) {
    const violations = negative.map(([path]) => ({ path, message: 'must not be negative' }));
    throw new Fault('INVALID_PARAMETER', `${negative[0]![0]} must not be negative`, { violations });
  }
  const size = page === 0 && limit === 0 ? null : Math.min(limit || usualSize, largestSize);
  if (after !== undefined) return { limit: size, offset: 0, after };
  return { limit: size, offset: size === null ? 0 : ((page || 1) - 1) * size, after: null };
}
