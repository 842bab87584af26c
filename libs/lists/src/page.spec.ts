import { describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { pageOf } from './page.ts';

const limits = { largestUnpaged: 1_000 };

describe('pages (open-points 1.8)', () => {
  it.each([
    [{}, { limit: 1_000, offset: 0, after: undefined }],
    [{ page: 0, limit: 0 }, { limit: 1_000, offset: 0, after: undefined }],
    [{ page: 1 }, { limit: 30, offset: 0, after: undefined }],
    [{ page: 3 }, { limit: 30, offset: 60, after: undefined }],
    [{ limit: 7 }, { limit: 7, offset: 0, after: undefined }],
    [{ page: 2, limit: 7 }, { limit: 7, offset: 7, after: undefined }],
    [{ page: 2, limit: 51 }, { limit: 50, offset: 50, after: undefined }],
    [{ page: 2_147_483_647, limit: 50 }, { limit: 50, offset: 107_374_182_300, after: undefined }],
    [{ page: 3, limit: 7, after: 'place' }, { limit: 7, offset: 0, after: 'place' }],
    [{ after: 'place' }, { limit: 1_000, offset: 0, after: 'place' }],
  ])('%j is %j', (request, page) => {
    expect(pageOf(request, limits)).toEqual(page);
  });

  it.each([
    [{ page: -1 }, ['page']],
    [{ limit: -1 }, ['limit']],
    [{ page: -1, limit: -1 }, ['page', 'limit']],
  ])('%j is refused because of %j', (request, paths) => {
    const refusal = refusalOf(() => pageOf(request, limits));
    expect([refusal.reason, refusal.violations.map(({ path }) => path)]).toEqual(['INVALID_PARAMETER', paths]);
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
