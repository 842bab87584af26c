import { describe, expect, it } from '@jest/globals';

import { textFindings } from './source-texts.ts';

describe('texts of the repository', () => {
  it.each([
    ['a path of one machine', 'see /home/ada/platform/readme', 'see /orgs/home/ and ./work/main'],
    ['a path outside the repository', 'as ../shared/design.md says', 'as docs/shared/design.md says'],
    ['the host of a package registry', '"resolved": "https://registry.npmjs.org/nx"', '"resolved": "libs/rpc"'],
    ['a focused test', 'describe.only("one")', 'describe("the only one")'],
    ['open work', '// TODO: later', 'const TODOS = 1'],
  ])('names %s, and not what only looks like it', (_what, refused, allowed) => {
    expect(textFindings('a.ts', `first\n${refused}`)).toEqual([expect.stringMatching(/^a\.ts:2: /)]);
    expect(textFindings('a.ts', allowed)).toEqual([]);
  });
});
