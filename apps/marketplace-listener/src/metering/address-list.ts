import { type Database, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { fetchPublishedRanges } from '../providers/a/published-ranges.ts';

/** The address ranges that provider A publishes (open-points 11.2): the last valid copy, shared by all replicas. */
export interface AddressList {
  /** The ranges of the copy: the same array until the copy changes. Empty if there is no copy. */
  ranges(deadline: Deadline): Promise<readonly string[]>;
  /** When the copy was fetched; undefined if there is none. */
  fetchedAt(deadline: Deadline): Promise<Date | undefined>;
  /** Fetches the list. If this fails, the copy stays. @throws Fault UNAVAILABLE, BAD_UPSTREAM; DeadlineExceeded */
  fetch(deadline: Deadline): Promise<void>;
}

/** @param url undefined if no list is used */
export function createAddressList(database: Database, url: string | undefined): AddressList {
  let known: { readonly at: number; readonly ranges: readonly string[] } = { at: 0, ranges: [] };

  async function fetchedAt(deadline: Deadline): Promise<Date | undefined> {
    if (url === undefined) return undefined;
    const row = await database.maybeOne(sql<{ at: Date }>`
      select fetched_at as "at" from published_ranges where url = ${url}`, { deadline });
    return row?.at;
  }

  return {
    fetchedAt,
    ranges: async (deadline) => {
      const at = await fetchedAt(deadline);
      if (at === undefined) return [];
      if (at.getTime() !== known.at) {
        const copy = await database.one(sql<{ at: Date; ranges: string[] }>`
          select fetched_at as "at", ranges from published_ranges where url = ${url}`, { deadline });
        known = { at: copy.at.getTime(), ranges: copy.ranges };
      }
      return known.ranges;
    },
    fetch: async (deadline) => {
      if (url === undefined) return;
      const ranges = await fetchPublishedRanges(url, deadline);
      await database.execute(sql`
        insert into published_ranges (url, ranges, fetched_at) values (${url}, ${ranges}::text[], now())
            on conflict (url) do update set ranges = excluded.ranges, fetched_at = excluded.fetched_at`, { deadline });
    },
  };
}
