import { Fault } from '@platform/rpc';

/** The part of a list that was asked for, as a statement takes it. */
export interface Page {
  /** Null: the whole list. */
  readonly limit: number | null;
  readonly offset: number;
}

const usualSize = 30;
const largestSize = 50;

/**
 * What `page` and `limit` of a request mean (open-points 1.8). The gateway hands over what is in order; whoever calls
 * directly is held to the same rule: 0 counts as not given, a size above 50 as 50.
 * @throws Fault INVALID_PARAMETER for a negative number
 */
export function pageOf({ page = 0, limit = 0 }: { page?: number | undefined; limit?: number | undefined }): Page {
  const negative = Object.entries({ page, limit }).filter(([, value]) => value < 0);
  if (negative.length > 0) {
    const violations = negative.map(([path]) => ({ path, message: 'must not be negative' }));
    throw new Fault('INVALID_PARAMETER', `${negative[0]![0]} must not be negative`, { violations });
  }
  if (page === 0 && limit === 0) return { limit: null, offset: 0 };
  const size = Math.min(limit || usualSize, largestSize);
  return { limit: size, offset: ((page || 1) - 1) * size };
}
