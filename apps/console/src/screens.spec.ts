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
const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId }) => operationId ?? []);

/** Lines of the form `operation  screen`, or `operation  - reason` for operations without a screen. */
const table = new Map(readFileSync(join(here, 'golden/screens.txt'), 'utf8').split('\n').filter((line) => line !== '')
  .map((line) => {
    const [, operation, place] = /^(\w+) {2,}(.+)$/.exec(line)!;
    return [operation!, place!] as const;
  }));

/** Matches each call and address, and captures its first argument. */
const calls = /(?:platform\.(?:call|list|walk|read|address)|readRevised|csvOf)(?:<[^(]*>)?\(\s*((?:[^,()]|\([^()]*\))+)/g;

const tableOfContracts = sources.get('contracts/operations.ts')!;

/** The operations that an argument may name: directly, by a table in the same file, or by the table of contracts. */
function namesIn(argument: string, text: string): string[] {
  const [, own] = /^(\w+)\[/.exec(argument) ?? [];
  const [, key] = /^(?:api|operations\(\w+\))\.(\w+)$/.exec(argument.trim()) ?? [];
  let named = argument;
  if (own !== undefined) [named] = new RegExp(`const ${own}\\b[^;]+;`).exec(text)!;
  if (key !== undefined) named = tableOfContracts.match(new RegExp(`\\b${key}: '\\w+'`, 'g'))!.join();
  return Array.from(named.matchAll(/'(\w+)'/g), ([, name]) => name!);
}

/** The operations that each file calls. */
const called = new Map([...sources].filter(([file]) => !file.endsWith('.spec.ts')).map(([file, text]) =>
  [file, new Set(Array.from(text.matchAll(calls), ([, argument]) => namesIn(argument!, text)).flat())] as const));

test('every operation of the API has a screen, or a reason why it has none', () => {
  expect([...table.keys()]).toEqual(operations.toSorted());
});

test('the screens named call the operation', () => {
  const wrong = [...table].filter(([operation, place]) =>
    !place.startsWith('- ') && !called.get(place)?.has(operation));
  expect(wrong).toEqual([]);
});

test('what has a reason is called by no screen', () => {
  const all = new Set([...called.values()].flatMap((names) => [...names]));
  expect([...table].filter(([operation, place]) => place.startsWith('- ') && all.has(operation))).toEqual([]);
});
