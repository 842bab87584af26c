import { Fault } from '@platform/faults';

/** What a list request says about the part it asks for: the fields every list method has. */
export interface PageRequest {
  /** Number of the page, from 1; 0 counts as not given. */
  readonly page?: number | undefined;
  /** Rows per page; 0 counts as not given, more than 50 counts as 50. */
  readonly limit?: number | undefined;
  /** `next` of an earlier answer. */
  readonly after?: string | undefined;
}

/** The part of a list to read. */
export interface Page {
  readonly limit: number;
  /** Rows to skip. */
  readonly offset: number;
  /** `next` of an earlier answer, not yet read: the part begins after that row. Undefined: at the list's start. */
  readonly after: string | undefined;
}

export interface PageLimits {
  /** Most rows of an answer to a request without `page` and `limit` (`lists.largestUnpaged`). */
  readonly largestUnpaged: number;
}

/** The settings that every service with a list picks. */
export const listPicks = { largestUnpaged: 'lists.largestUnpaged' } as const;

const usualSize = 30;
const largestSize = 50;

/**
 * Reads `page`, `limit` and `after` of a request (open-points 1.8, ADR 0038). The gateway forwards them only when they
 * are in order; direct callers are held to the same rules here.
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
