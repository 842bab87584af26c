import { describe, expect, it } from '@jest/globals';
import { pageOf, type PageRequest } from './page.ts';
import { partOf } from './part-of.ts';

const names = ['d', 'b', 'a', 'c', 'e'];
const read = (request: PageRequest, most = 1_000) =>
  partOf(names, (name) => name, pageOf(request, { largestUnpaged: most }));

describe('a part of a list in memory', () => {
  it('is the whole list in order when nothing is asked for', () => {
    expect(read({})).toEqual({ items: ['a', 'b', 'c', 'd', 'e'], total: 5, next: undefined });
  });

  it('is a page', () => {
    expect(read({ page: 2, limit: 2 })).toMatchObject({ items: ['c', 'd'], total: 5 });
    expect(read({ page: 3, limit: 2 })).toEqual({ items: ['e'], total: 5, next: undefined });
    expect(read({ page: 4, limit: 2 })).toEqual({ items: [], total: 5, next: undefined });
  });

  it('goes on behind the last item of an earlier part', () => {
    const met: string[] = [];
    for (let after: string | undefined; ;) {
      const { items, next } = read({ limit: 2, after });
      met.push(...items);
      after = next;
      if (after === undefined) break;
    }
    expect(met).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('says that more follows when a list is too long', () => {
    const { items, next } = read({}, 3);
    expect(items).toEqual(['a', 'b', 'c']);
    expect(read({ after: next }, 3).items).toEqual(['d', 'e']);
  });

  it('refuses an `after` that it never answered', () => {
    expect(() => read({ after: 'x' })).toThrow(expect.objectContaining({ reason: 'INVALID_PARAMETER' }));
  });
});
