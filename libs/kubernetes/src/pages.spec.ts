import { describe, expect, it } from '@jest/globals';
import { ApiException } from '@kubernetes/client-node';
import { deadlineIn } from '@platform/service';
import { readList } from './pages.ts';

const answered = (code: number) => new ApiException(code, 'refused', '', {});
const page = (items: string[], more?: string, characters = 10) => ({
  characters, body: { items, metadata: { resourceVersion: '7', ...(more === undefined ? {} : { continue: more }) } },
});

type Answer = ReturnType<typeof page>;

/**
 * Reads a list from a cluster that gives these answers.
 * @param answer to the n-th call, from 1
 */
async function read(answer: (call: number) => Answer, unbounded = false) {
  const asked: Readonly<Record<string, string>>[] = [];
  const cluster = {
    get: async (_: string, query: Readonly<Record<string, string>>) => {
      asked.push(query);
      return answer(asked.length);
    },
  };
  const list = await readList(cluster, '/api/v1/pods', { keep: String, unbounded }, deadlineIn(1_000));
  return { asked, list };
}

const refuse = (code: number) => () => {
  throw answered(code);
};

describe('a list in pages', () => {
  it('is read to its end, each page behind the one before', async () => {
    const pages = [page(['a'], 'x'), page(['b'], 'y'), page(['c'])];
    const { asked, list } = await read((call) => pages[call - 1]!);
    expect(list).toEqual({ objects: ['a', 'b', 'c'], version: '7' });
    expect(asked).toEqual([{ limit: '500' }, { limit: '500', continue: 'x' }, { limit: '500', continue: 'y' }]);
  });

  it('is read again from its start when its state expired', async () => {
    const { list } = await read((call) => {
      if (call === 2) throw answered(410);
      return call === 1 ? page(['old'], 'x') : page(['new']);
    });
    expect(list.objects).toEqual(['new']);
  });

  it('is refused when its state expires again and again', async () => {
    await expect(read(refuse(410))).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  });

  it('is empty for a kind that is not served', async () => {
    expect((await read(refuse(404))).list).toEqual({ objects: [], version: '' });
  });

  it('is refused when the answer is no list', async () => {
    for (const body of [{ message: 'hello' }, null, { items: {} }]) {
      await expect(read(() => ({ ...page([]), body } as never))).rejects.toMatchObject({ reason: 'BAD_UPSTREAM' });
    }
  });

  it('is refused when it has no end, unless its objects are not kept', async () => {
    const endless = (call: number) => page(['a'], call < 10 ? 'more' : undefined, 10_000_000);
    await expect(read(endless)).rejects.toMatchObject({ reason: 'BAD_UPSTREAM' });
    expect((await read(endless, true)).list.objects).toHaveLength(10);
  });

  it('has pages of any number of objects', async () => {
    const { list } = await read(() => page(Array<string>(300_000).fill('a')));
    expect(list.objects).toHaveLength(300_000);
  });
});
