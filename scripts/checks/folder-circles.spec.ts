import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { folderCircles } from './folder-circles.ts';
import { root } from './run-command.ts';

const shipped = (file: string) => !/\.(?:spec|proof|d)\.tsx?$|\/(?:fixtures|testdata)\//.test(file);

it('no folders import each other, also not by way of others (docs/architecture.md)', () => {
  const listed = execFileSync('git', ['ls-files', ...['apps', 'libs', 'scripts'].flatMap((folder) =>
    [`${folder}/*.ts`, `${folder}/*.tsx`])], { cwd: root, encoding: 'utf8' });
  const files = listed.trim().split('\n').filter(shipped);
  expect(files.length).toBeGreaterThan(1_000);
  const circles = folderCircles(new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')])));
  expect(circles).toEqual([]);
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
