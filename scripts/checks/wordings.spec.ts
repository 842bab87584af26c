import { describe, expect, it } from '@jest/globals';

import { wordingFindings } from './wordings.ts';

describe('wordings', () => {
  it.each([
    ['a negated noun', '// a text that is none is ignored', '// the texts that nonetheless matter'],
    ['a choice that is negated', 'the type is none of them', 'the type is not one of them'],
    ['a verb with none', "it('%j is none')", '// undefined if there is none, or there are none yet'],
    ['a pronoun without its noun', '// nor of one that is closed', '// nor of any that is closed'],
    ['an own thing', 'the caller of an own account', 'the caller of their own account'],
    ['the own thing', 'changes the own account', 'changes their own account'],
    ['a thing that is had', 'the lock can be had', 'the lock has been released'],
    ['a pointing pronoun', 'is judged as that one', 'so that one can be drawn'],
    ['a pronoun that begins a clause', 'closed until that one has ended', 'the number that one replica runs'],
    ['a clause as subject', '// Read first: what is lost then is found', '// says what is wrong and what was found'],
    ['a clause as subject after a conjunction', 'so what is not seen is deleted', 'changes what is as it was read'],
    ['a clause as subject of a title', "it('what was stored is right')", "it('reads what was stored')"],
  ])('names %s, and not what only looks like it', (_what, refused, allowed) => {
    expect(wordingFindings('a.ts', `first\n${refused}`)).toEqual([expect.stringMatching(/^a\.ts:2: /)]);
    expect(wordingFindings('a.ts', allowed)).toEqual([]);
  });

  it.each([
    ['a.ts', '/**\n * A text that\n * is none.\n */'],
    ['a.proto', '\n// A text that\n// is none.'],
    ['a.yaml', '\n# A text that\n# is none.'],
    ['a.sql', '\n-- A text that\n-- is none.'],
    ['a.md', '\n- A text that\n  is none.'],
    ['a.ts', "\nit('a text that '\n  + 'is none')"],
  ])('are found in %s where they continue on the next line: %j', (file, text) => {
    expect(wordingFindings(file, text)).toEqual([expect.stringMatching(`^${file}:3: `)]);
  });

  it.each([
    ['a.ts', '// Whether there\n// is none.'],
    ['a.ts', '// Changes the\n/** own list */'],
    ['a.ts', '/** Changes the */\nown();'],
    ['a.md', 'Of the\n\nown list'],
    ['a.md', '- changes the\n- own list'],
  ])('are not made of separate texts, in %s: %j', (file, text) => {
    expect(wordingFindings(file, text)).toEqual([]);
  });
});
