import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const here = join(import.meta.dirname, '..');
const sources = new Map(globSync('src/**/*.{ts,tsx}', { cwd: here }).map((file) => {
  return [file.replace('src/', ''), readFileSync(join(here, file), 'utf8')] as const;
}));

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

const { paths } = JSON.parse(readFileSync(join(here, '../../docs/openapi.json'), 'utf8')) as OpenApi;
/** Path of each operation. */
const operations = new Map(Object.entries(paths).flatMap(([path, methods]) =>
  Object.values(methods).flatMap(({ operationId }) => {
    return operationId === undefined ? [] : [[operationId, path] as const];
  })));

/** Lines `operation  screen` or `operation  - reason why none`. */
const table = new Map(readFileSync(join(here, 'golden/screens.txt'), 'utf8').split('\n').filter((line) => line !== '')
  .map((line) => {
    const [, operation, place] = /^(\w+) {2,}(.+)$/.exec(line)!;
    return [operation!, place!] as const;
  }));

test('every operation of the API has a screen, or a reason why it has none', () => {
  expect([...table.keys()]).toEqual([...operations.keys()].toSorted());
});

test('the screens named use the operation, by its id or its path', () => {
  const wrong = [...table].filter(([operation, place]) => {
    if (place.startsWith('- ')) return false;
    const text = sources.get(place) ?? '';
    const path = operations.get(operation)!.replace(/\/\{[^}]+\}$/, '');
    return ![operation, path, path.replace('/auth/', '')].some((name) => text.includes(`'${name}'`));
  });
  expect(wrong).toEqual([]);
});

test('what has a reason is used by no screen', () => {
  const screens = [...sources].filter(([file]) => !file.endsWith('.spec.ts')).map(([, text]) => text);
  const used = [...table].filter(([operation, place]) =>
    place.startsWith('- ') && screens.some((text) => text.includes(`'${operation}'`)));
  expect(used).toEqual([]);
});
