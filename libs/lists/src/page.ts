import { Fault } from '@platform/faults';

/** The fields of a list request that choose a page of the list. */
export interface PageRequest {
  /** Number of the page, from 1; 0 means not set. */
  readonly page?: number | undefined;
  /** Rows per page; 0 means not set, and numbers above 50 mean 50. */
  readonly limit?: number | undefined;
  /** `next` of an earlier answer. The page begins after the rows of that answer. */
  readonly after?: string | undefined;
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** `next` of an earlier answer, not decoded. The page begins after this answer; if undefined, at `offset`. */
  readonly after: string | undefined;
}

/** Maximum number of rows in the answer to a request without `page` and `limit` (`lists.largestUnpaged`). */
export interface PageLimits { readonly largestUnpaged: number }

export const listPicks = { largestUnpaged: 'lists.largestUnpaged' } as const;

const usualSize = 30;
const largestSize = 50;

/**
 * Reads `page`, `limit` and `after` of a request (open-points 1.8, ADR 0038).
 * @throws Fault INVALID_PARAMETER for a negative number
 */
export function pageOf({ page = 0, limit = 0, after }: PageRequest, { largestUnpaged }: PageLimits): Page {
  const negative = Object.entries({ page, limit }).filter(([, value]) => value < 0);
  if (negative.length > 0) {
    const violations = negative.map(([path]) => ({ path, message: 'must not be negative' }));
    throw new Fault('INVALID_PARAMETER', `${violations[0]!.path} must not be negative`, { violations });
  }
  if (page === 0 && limit === 0) return { limit: largestUnpaged, offset: 0, after };
  const size = Math.min(limit || usualSize, largestSize);
  return { limit: size, offset: after === undefined ? ((page || 1) - 1) * size : 0, after };
}
