import { describe, expect, it } from '@jest/globals';
import { ApiException } from '@kubernetes/client-node';
import { type PageQuery, readAllPages } from './pages.ts';

const answered = (code: number) => new ApiException(code, 'refused', '', {});
const page = (items: string[], next?: string) => ({ items, metadata: next === undefined ? {} : { continue: next } });

describe('a list in pages', () => {
  it('is read to its end, each page behind the one before', async () => {
    const asked: PageQuery[] = [];
    const pages = [page(['a'], 'x'), page(['b'], 'y'), page(['c'])];
    const all = await readAllPages(async (query) => {
      asked.push(query);
      return pages[asked.length - 1]!;
    });
    expect(all).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual([{ limit: 500 }, { limit: 500, _continue: 'x' }, { limit: 500, _continue: 'y' }]);
  });

  it('is read again from its start when its state expired', async () => {
    let calls = 0;
    const all = await readAllPages(async () => {
      calls += 1;
      if (calls === 2) throw answered(410);
      return calls === 1 ? page(['old'], 'x') : page(['new']);
    });
    expect(all).toEqual(['new']);
  });

  it('is refused when its state expires again and again', async () => {
    await expect(readAllPages(() => Promise.reject(answered(410)))).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  });

  it('is empty for a kind that is not served', async () => {
    expect(await readAllPages(() => Promise.reject(answered(404)))).toEqual([]);
  });

  it('is refused when the answer is no list', async () => {
    const answer = { message: 'hello' } as never;
    await expect(readAllPages(async () => answer)).rejects.toMatchObject({ reason: 'BAD_UPSTREAM' });
  });
});
