import { describe, expect, it } from '@jest/globals';
import { columns } from './output.ts';
import { visible } from './visible.ts';

describe('texts of others on a terminal', () => {
  it.each([
    ['a line break', 'role\n2026-11-23T00:00:00Z', 'role\\u000a2026-11-23T00:00:00Z'],
    ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
    ['a control character of 8 bits', '\u009b2J', '\\u009b2J'],
    ['the other direction', 'a\u202eb\u2066c\u061c', 'a\\u202eb\\u2066c\\u061c'],
    ['nothing to see', 'a\u200bb\u200d\ufeff', 'a\\u200bb\\u200d\\ufeff'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a tag beyond 16 bits', '\u{e0041}', '\\udb40\\udc41'],
  ])('%s is escaped', (_what, text, shown) => {
    expect(visible(text)).toBe(shown);
    expect(JSON.parse(visible(JSON.stringify({ text })))).toEqual({ text });
  });

  it('what can be seen stays', () => {
    expect(visible('監査 é é 😀 C:\\dir')).toBe('監査 é é 😀 C:\\dir');
  });

  it('a cell stays in its row, and widens its column', () => {
    expect(columns([['a\nb', 'x'], ['c', 'y']])).toEqual(['a\\u000ab  x', 'c         y']);
  });
});
