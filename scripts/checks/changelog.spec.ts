import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

import { root } from './run-command.ts';

const text = (name: string): string => readFileSync(join(root, name), 'utf8');

it('has an entry in the changelog for the version, the newest first', () => {
  const { version } = JSON.parse(text('package.json')) as { version: string };
  const entries = [...text('CHANGELOG.md').matchAll(/^## (\S+)$/gm)].map(([, name]) => name);
  expect(entries[0]).toBe(version);
  expect(entries).toEqual([...new Set(entries)]);
});
