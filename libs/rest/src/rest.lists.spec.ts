import { afterAll, describe, expect, test } from '@jest/globals';
import { http } from '@platform/testing';
import { startTestRest } from '../testdata/test-rest.ts';
import { aliceToken } from '../testdata/test-service.ts';

const largestUnpaged = 120;
const usual = await startTestRest({
  handlers: {
    ListPages: ({ page = 0, limit = 0, count = 0, after }) => {
      const all = Array.from({ length: Number(count) }, (_, index) => index + 1);
      const size = page === 0 ? largestUnpaged : Number(limit);
      const begin = Number(after ?? 0) || Math.max(0, Number(page) - 1) * size;
      const items = all.slice(begin, begin + size);
      return { items, total: count, ...(begin + size < all.length ? { next: String(items.at(-1)) } : {}) };
    },
  },
});
const client = http(usual.baseUrl);

afterAll(async () => usual[Symbol.asyncDispose]());

/** Open-points 1.8. */
describe('lists', () => {
  const path = '/api/v1/pages';
  const link = (relation: string, query: string) => `<${usual.baseUrl}${path}?${query}>; rel="${relation}"`;

  test.each(['count=120', 'count=120&page=0', 'count=120&limit=0&page=0'])('%s is the list from its start', async (query) => {
    const answer = await client.get(`${path}?${query}`);
    expect([answer.json<number[]>().length, answer.header('x-total-count'), answer.header('link')]).toEqual([
      120,
      '120',
      undefined,
    ]);
  });

  test('a list that is cut without being asked for in pages links to its rest', async () => {
    const first = await client.get(`${path}?count=121&limit=0&filter=a`);
    expect([first.json<number[]>().at(-1), first.header('x-total-count'), first.header('link')]).toEqual([
      120, '121', link('next', 'count=121&filter=a&after=120'),
    ]);
    const rest = await client.get(`${path}?count=121&filter=a&after=120`);
    expect([rest.json(), rest.header('x-total-count'), rest.header('link')]).toEqual([[121], '121', undefined]);
  });

  test.each<[string, number[], [string, string][]]>([
    [
      'count=65&page=1',
      [1, 30],
      [
        ['next', 'count=65&after=30&page=2&limit=30'],
        ['last', 'count=65&page=3&limit=30'],
      ],
    ],
    [
      'count=65&limit=20&page=2',
      [21, 40],
      [
        ['next', 'count=65&after=40&page=3&limit=20'],
        ['last', 'count=65&page=4&limit=20'],
        ['first', 'count=65&page=1&limit=20'],
        ['prev', 'count=65&page=1&limit=20'],
      ],
    ],
    [
      'count=65&limit=500',
      [1, 50],
      [
        ['next', 'count=65&after=50&page=2&limit=50'],
        ['last', 'count=65&page=2&limit=50'],
      ],
    ],
    [
      'count=65&limit=20&page=4',
      [61, 65],
      [
        ['first', 'count=65&page=1&limit=20'],
        ['prev', 'count=65&page=3&limit=20'],
      ],
    ],
    [
      'count=65&limit=20&page=9',
      [],
      [
        ['first', 'count=65&page=1&limit=20'],
        ['prev', 'count=65&page=4&limit=20'],
      ],
    ],
    ['count=5&limit=20', [1, 5], []],
    [
      // Earlier rows have been deleted. This page still begins after the last row of the previous page.
      'count=65&page=3&limit=20&after=21',
      [22, 41],
      [
        ['next', 'count=65&after=41&page=4&limit=20'],
        ['last', 'count=65&page=4&limit=20'],
        ['first', 'count=65&page=1&limit=20'],
        ['prev', 'count=65&page=2&limit=20'],
      ],
    ],
    [
      'page=3',
      [],
      [
        ['first', 'page=1&limit=30'],
        ['prev', 'page=1&limit=30'],
      ],
    ],
    [
      'filter=a%20b&count=31&page=1',
      [1, 30],
      [
        ['next', 'filter=a%20b&count=31&after=30&page=2&limit=30'],
        ['last', 'filter=a%20b&count=31&page=2&limit=30'],
      ],
    ],
  ])('%s is a page with links', async (query, bounds, links) => {
    const answer = await client.get(`${path}?${query}`);
    const items = answer.json<number[]>();
    expect(items.length === 0 ? [] : [items[0], items.at(-1)]).toEqual(bounds);
    expect(answer.header('link')).toBe(
      links.length === 0 ? undefined : links.map(([relation, to]) => link(relation, to)).join(', '),
    );
    expect(answer.header('x-total-count')).toBe(/count=(\d+)/.exec(query)?.[1] ?? '0');
  });

  test('tokens are never repeated in a link', async () => {
    const answer = await client.get(`${path}?token=${aliceToken}&count=31&page=1&access%5Ftoken=${aliceToken}`);
    expect([answer.status, answer.header('link')?.includes(aliceToken)]).toEqual([200, false]);
  });

  test.each(['2147483648', '4294967297', '9007199254740991'])('page %s is past the end', async (page) => {
    const answer = await client.get(`${path}?count=31&page=${page}&limit=4294967296`);
    expect([answer.status, answer.json(), answer.header('x-total-count')]).toEqual([200, [], '31']);
    expect(answer.header('link')).toContain('rel="prev"');
    expect(answer.header('link')).not.toContain('rel="next"');
  });

  test.each([
    'page=9007199254740992', 'page=-1', 'limit=-1', 'limit=a', 'page=1.5', 'page=', 'limit=1&limit=1', 'after=1&after=1',
  ])('%s is 400', async (query) => {
    expect((await client.get(`${path}?${query}`)).status).toBe(400);
  });
});
