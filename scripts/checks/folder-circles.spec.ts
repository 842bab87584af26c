import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { fileCircles, folderCircles } from './folder-circles.ts';
import { root } from './run-command.ts';

const shipped = (file: string) => !/\.(?:spec|proof|d)\.tsx?$|\/(?:fixtures|testdata)\//.test(file);

const listed = execFileSync('git', ['ls-files', ...['apps', 'libs', 'scripts'].flatMap((folder) =>
  [`${folder}/*.ts`, `${folder}/*.tsx`])], { cwd: root, encoding: 'utf8' });
const files = listed.trim().split('\n').filter(shipped);
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

it('no folders import each other, also not by way of others (docs/architecture.md)', () => {
  expect(texts.size).toBeGreaterThan(1_000);
  expect(folderCircles(texts)).toEqual([]);
});

it('no files import each other, not even types', () => {
  expect(fileCircles(texts)).toEqual([]);
});

it('circles of files are found, at any length and of types', () => {
  expect(fileCircles(new Map(Object.entries({
    'src/main.ts': 'import "./a.ts";',
    'src/a.ts': 'import type { B } from "./b.ts";',
    'src/b.ts': 'export { c } from "./c/c.ts";',
    'src/c/c.ts': 'import { a } from "../a.ts"; import "../d.ts";',
    'src/d.ts': '',
  })))).toEqual([['src/a.ts', 'src/b.ts', 'src/c/c.ts']]);
});

it('circles are found, at every depth and of any length', () => {
  const found = folderCircles(new Map(Object.entries({
    'src/main.ts': 'import "./a/one.ts";',
    'src/a/one.ts': 'import type { Two } from "../b/two.ts";',
    'src/b/two.ts': 'export { three } from "../c/three.ts";',
    'src/c/three.ts': 'export const three = () => import("../a/one.ts");',
    'src/d/four.ts': 'import "../a/one.ts"; import "./x/five.ts";',
    'src/d/x/five.ts': 'import "../y/six.ts";',
    'src/d/y/six.ts': 'import "../x/five.ts"; import "../../../src/main.ts";',
  })));
  expect(found).toEqual([
    {
      place: 'src', folders: ['a', 'b', 'c'],
      imports: ['src/a/one.ts -> src/b/two.ts', 'src/b/two.ts -> src/c/three.ts', 'src/c/three.ts -> src/a/one.ts'],
    },
    {
      place: 'src/d', folders: ['x', 'y'],
      imports: ['src/d/x/five.ts -> src/d/y/six.ts', 'src/d/y/six.ts -> src/d/x/five.ts'],
    },
  ]);
});
