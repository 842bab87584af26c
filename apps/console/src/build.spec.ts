import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const dist = join(import.meta.dirname, '../dist');

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

/** All JavaScript files that a browser loads for some entries. */
function filesOf(...entries: readonly string[]): Set<string> {
  const files = new Set<string>();
  const open = [...entries];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const { file, imports = [] } = manifest[name]!;
    if (files.has(file)) continue;
    files.add(file);
    open.push(...imports);
  }
  return files;
}

/** Kilobytes, gzipped. The build does not compress files of less than 1,000 bytes. */
function kilobytesOf(files: Iterable<string>): number {
  const sizes = [...files].map((file) => {
    const plain = readFileSync(join(dist, file));
    return plain.length < 1_000 ? plain.length : readFileSync(join(dist, `${file}.gz`)).length;
  });
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}

const first = filesOf('index.html', 'src/account/home.tsx');

test('the first screen has at most 260 kB of JavaScript, gzipped', () => {
  expect(kilobytesOf(first)).toBeLessThanOrEqual(260);
});

test('a screen with charts has at most 160 kB more', () => {
  const charts = filesOf('src/usage/usage.tsx');
  expect(charts.size).toBeGreaterThan(2);
  expect(kilobytesOf(charts.difference(first))).toBeLessThanOrEqual(160);
});
