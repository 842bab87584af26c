import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

const here = join(import.meta.dirname, '..');

/** A list of the console, as found in its source. */
interface List {
  readonly file: string;
  readonly what: string;
  /** The operation that returns the list as CSV; if there is none, the console makes the CSV. */
  readonly csv: string;
  /** Whether the platform does the search. Otherwise the console searches, once it has the whole list. */
  readonly searched: boolean;
  /** Whether the empty state offers a next step, in words or by a button. */
  readonly goesOn: boolean;
}

const lists = globSync('src/**/*.tsx', { cwd: here }).flatMap(listsOf);

function listsOf(file: string): List[] {
  const text = readFileSync(join(here, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: List[] = [];
  const visit = (node: ts.Node): void => {
    const isElement = ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node);
    if (isElement && node.tagName.getText() === 'DataList') {
      const given = new Map(node.attributes.properties.filter(ts.isJsxAttribute).map((one) =>
        [one.name.getText(), one.initializer?.getText() ?? ''] as const));
      found.push({
        file: file.replace('src/', ''),
        what: given.get('what')!.replaceAll(/["{}]/g, ''),
        csv: given.get('csv')?.replace(/^\{(?:csvOf\(')?(\w+).*$/s, '$1') ?? 'made by the console',
        searched: given.has('searched'),
        goesOn: /<Empty [^]*action=|<Empty [^>]*>\s*\S[^]*<\/Empty>/.test(given.get('empty') ?? ''),
      });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

test('the lists of the console are those of the table, with what answers their CSV and who searches', () => {
  const table = readFileSync(join(here, 'golden/lists.txt'), 'utf8').trimEnd().split('\n');
  const lines = lists.map(({ file, what, csv, searched }) =>
    [file.padEnd(34), what.padEnd(30), csv.padEnd(26), searched ? 'the platform searches' : ''].join('').trimEnd());
  expect(lines.toSorted()).toEqual(table);
});

test('each empty list says what to do next', () => {
  expect(lists.filter(({ goesOn }) => !goesOn).map(({ file, what }) => `${file} ${what}`)).toEqual([]);
});
