import { describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/rpc';
import { pageOf } from './page.ts';

describe('pages (open-points 1.8)', () => {
  it.each([
    [{}, { limit: null, offset: 0, after: null }],
    [{ page: 0, limit: 0 }, { limit: null, offset: 0, after: null }],
    [{ page: 1 }, { limit: 30, offset: 0, after: null }],
    [{ page: 3 }, { limit: 30, offset: 60, after: null }],
    [{ limit: 7 }, { limit: 7, offset: 0, after: null }],
    [{ page: 2, limit: 7 }, { limit: 7, offset: 7, after: null }],
    [{ page: 2, limit: 51 }, { limit: 50, offset: 50, after: null }],
    [{ page: 2_147_483_647, limit: 50 }, { limit: 50, offset: 107_374_182_300, after: null }],
    [{ page: 3, limit: 7, after: 41 }, { limit: 7, offset: 0, after: 41 }],
    [{ after: 41 }, { limit: null, offset: 0, after: 41 }],
  ])('%j is %j', (asked, page) => {
    expect(pageOf(asked)).toEqual(page);
  });

  it.each([[{ page: -1 }, ['page']], [{ limit: -1 }, ['limit']], [{ after: -1 }, ['after']],
    [{ page: -1, limit: -1 }, ['page', 'limit']]])(
    '%j is refused for %j', (asked, paths) => {
      const refusal = refusalOf(() => pageOf(asked));
      expect(refusal.reason).toBe('INVALID_PARAMETER');
      expect(refusal.violations.map(({ path }) => path)).toEqual(paths);
    });
});

function refusalOf(act: () => unknown): Fault {
  try {
    act();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
