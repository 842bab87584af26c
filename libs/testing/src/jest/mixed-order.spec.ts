import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { repositoryRoot } from '../repository.ts';

interface Test {
  readonly path: string;
}

// jest loads the sequencer as JavaScript, so it has no types.
const { default: MixedOrder, longest, waiting } = await import(join(import.meta.dirname, 'mixed-order.js')) as {
  readonly default: new (options: object) => { sort(tests: readonly Test[]): Promise<readonly Test[]> };
  readonly longest: readonly string[];
  readonly waiting: readonly string[];
};
const folder = mkdtempSync(join(tmpdir(), 'mixed-order-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A spec file in the form that jest gives to its sequencer. No duration of the file is recorded. */
function unknown(path: string, bytes: number) {
  return { path, context: { config: { id: 'none', cacheDirectory: folder }, hasteFS: { getSize: () => bytes } } };
}

it('the listed files are there', () => {
  expect([...longest, ...waiting].filter((file) => !existsSync(join(repositoryRoot, file)))).toEqual([]);
});

it('begins with the longest files, and spreads files that wait among the others, those with the lab first', async () => {
  const listed = (file: string | undefined) => join(repositoryRoot, file!);
  const others = Array.from({ length: 10 }, (_, number) => join(folder, `other-${number}.spec.ts`));
  const share = join(folder, 'share.spec.ts');
  const lab = listed('apps/e2e/src/clusters/registry.spec.ts');
  for (const file of others) writeFileSync(file, '');
  writeFileSync(share, 'await shareOf(proof, 0.1)');
  const tests = [share, waiting[1], lab, waiting[0], longest[1], longest[0]]
    .map((file) => unknown(file === share || file === lab ? file : listed(file), 1));
  const order = await new MixedOrder({ contexts: [], globalConfig: {} })
    .sort([...tests, ...others.map((file, place) => unknown(file, 100 - place))]);
  const [a, b, c, d, e, f, g, h, i, j] = others;
  expect(order.map(({ path }) => path)).toEqual([
    listed(longest[0]), listed(longest[1]),
    lab, a, b, listed(waiting[0]), c, d, listed(waiting[1]), e, f, share, g, h,
    i, j,
  ]);
});
