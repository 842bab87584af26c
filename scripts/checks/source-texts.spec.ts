import { describe, expect, it } from '@jest/globals';

import { citationFindings, pathFindings } from './citations.ts';
import { root } from './run-command.ts';
import { textFindings } from './source-texts.ts';

describe('texts of the repository', () => {
  it.each([
    ['a path of one machine', 'see /home/ada/platform/readme', 'see /orgs/home/ and ./work/main'],
    ['a path outside the repository', 'as ../shared/design.md says', 'as docs/shared/design.md says'],
    ['the host of a package registry', '"resolved": "https://registry.npmjs.org/nx"', '"resolved": "libs/rpc"'],
    ['a focused test', 'describe.only("one")', 'describe("the only one")'],
    ['an option that is spread', '  option (controlplane.rest) = {', '  option (controlplane.rest) = {status: 201,'],
    ['an option of a field that is spread', '  optional string org = 1 [', '  optional string org = 1 [(a.b) = {c: true,'],
    ['open work', '// TODO: later', 'const TODOS = 1'],
    ['an unclear wording', '// the caller of an own account', '// the caller of their own account'],
  ])('names %s, and not what only looks like it', (_what, refused, allowed) => {
    expect(textFindings('a.ts', `first\n${refused}`)).toEqual([expect.stringMatching(/^a\.ts:2: /)]);
    expect(textFindings('a.ts', allowed)).toEqual([]);
  });

  it('keeps the wordings of migrations, which have checksums', () => {
    expect(textFindings('apps/a/migrations/1-a.sql', '-- The own account; ../shared/a')).toEqual([
      expect.stringMatching(/:1: a path outside the repository$/),
    ]);
  });
});

describe('citations of rules', () => {
  const findings = citationFindings(root);

  it.each([
    ['open-points 3.99', 'open-points 3.5, 3.6 and 14'],
    ['open-points 1.5 and 1.99', 'open-points 2.3 to 2.5'],
    ['authorization.md R9', 'authorization.md R6, W1'],
    ['spec §4.77', 'spec §4.13'],
  ])('names %s, which does not exist, and not %s', (broken, whole) => {
    expect(findings('a.ts', `first\n// ${broken}`)).toEqual([expect.stringMatching(/^a\.ts:2: cites /)]);
    expect(findings('a.ts', `// ${whole}`)).toEqual([]);
  });
});

describe('paths in documents', () => {
  it.each([
    ['`libs/rpc/src/missing.ts`', '`libs/rpc/src/index.ts`, `libs/rpc` and `index.ts`'],
    ['[a page](rules/missing.md#1)', '[a page](rules/README.md#1), [a site](https://example.org/a.md)'],
  ])('names %s, which does not exist, and not %s', (broken, whole) => {
    expect(pathFindings(root, 'docs/a.md', `first\n${broken}`)).toEqual([expect.stringMatching(/^docs\/a\.md:2: names /)]);
    expect(pathFindings(root, 'docs/a.md', whole)).toEqual([]);
  });
});
