import { expect, test } from '@jest/globals';
import { createRecentRequests } from './recent-requests.ts';

test('what was answered in the last minute is counted by route, and forgotten after it', () => {
  let now = 5_000;
  const recent = createRecentRequests(() => now);
  recent.count('/a', 200);
  now += 30_000;
  for (const status of [200, 403, 503]) recent.count('/b', status);
  expect(recent.summary()).toEqual({
    answered: 4, refused: 1, failed: 1, routes: [{ route: '/b', answered: 3 }, { route: '/a', answered: 1 }],
  });
  now += 30_000;
  recent.count('/a', 404);
  expect(recent.summary()).toEqual({
    answered: 4, refused: 2, failed: 1, routes: [{ route: '/b', answered: 3 }, { route: '/a', answered: 1 }],
  });
  now += 120_000;
  expect(recent.summary()).toEqual({ answered: 0, refused: 0, failed: 0, routes: [] });
});
