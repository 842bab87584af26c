import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';

interface Test {
  readonly path: string;
}

// jest loads the sequencer as JavaScript, so it has no types.
const { default: LongestFirst, slowest } = await import(join(import.meta.dirname, 'longest-first.js')) as {
  readonly default: new (options: object) => { sort(tests: readonly Test[]): Promise<readonly Test[]> };
  readonly slowest: readonly string[];
};
const folder = mkdtempSync(join(tmpdir(), 'longest-first-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A file in an order of jest, which knows no duration of it. */
function unknown(path: string, bytes: number) {
  return { path, context: { config: { id: 'none', cacheDirectory: folder }, hasteFS: { getSize: () => bytes } } };
}

it('the slowest files are there', () => {
  expect(slowest.filter((file) => !existsSync(file))).toEqual([]);
});

it('on a new machine, slow files come first, then shares of proofs, then large files', async () => {
  const [large, small, share] = ['large', 'small', 'share'].map((name) => join(folder, `${name}.spec.ts`));
  writeFileSync(large!, '');
  writeFileSync(small!, '');
  writeFileSync(share!, 'await shareOf(proof, 0.1)');
  const tests = [
    unknown(small!, 1), unknown(large!, 9), unknown(slowest[1]!, 2), unknown(share!, 3), unknown(slowest[0]!, 2),
  ];
  const order = await new LongestFirst({ contexts: [], globalConfig: {} }).sort(tests);
  expect(order.map(({ path }) => path)).toEqual([slowest[0], slowest[1], share, large, small]);
});
