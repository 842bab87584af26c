import { describe, expect, it } from '@jest/globals';
import { textRules } from './text-rules.ts';

const address = (value: string, schemes = ['http', 'https']) => {
  const rules = textRules();
  rules.webAddress('website', value, schemes);
  return rules.violations.map(({ path }) => path);
};
const email = (value: string) => {
  const rules = textRules();
  rules.email('email', value);
  return rules.violations.length === 0;
};

describe('addresses (open-points 3.1)', () => {
  it.each([
    '', 'http://a', 'https://example.org', 'HTTPS://Example.org/path?query#part', 'http://127.0.0.1:8080', 'https://[::1]/',
    `https://example.org/${'x'.repeat(235)}`,
  ])('takes %j', (value) => {
    expect(address(value)).toEqual([]);
  });

  it.each([
    'example.org', '//example.org', 'ftp://example.org', 'javascript:alert(1)', 'https:example.org', 'https://', 'http:///x',
    'https://exa mple.org', ' https://example.org', 'https://example.org\n', 'https:\\\\example.org',
    'https://example.org/\u0007', 'https://example.org/"><x', 'https://example.org/{a}', 'https://example.org/\u007f',
    `https://example.org/${'x'.repeat(236)}`,
  ])('refuses %j', (value) => {
    expect(address(value)).toEqual(['website']);
  });

  it('refuses http where only https may be', () => {
    expect(address('http://example.org', ['https'])).toEqual(['website']);
    expect(address('https://example.org', ['https'])).toEqual([]);
  });
});

describe('lengths', () => {
  it.each([
    ['counts characters, not code units', '😀'.repeat(100), 100, []],
    ['refuses one more', '😀'.repeat(101), 100, ['full_name']],
    ['takes an empty text', '', 100, []],
    ['counts short texts too', 'x'.repeat(51), 50, ['full_name']],
    ['a short text of many code units', '😀'.repeat(50), 50, []],
  ])('%s', (_what, value, most, expected) => {
    const rules = textRules();
    rules.atMost('full_name', value, most);
    expect(rules.violations.map(({ path }) => path)).toEqual(expected);
  });
});

describe('e-mail addresses', () => {
  it.each(['a@b', 'a.b+c@example.org', 'ä@example.org', 'a@b-c.d'])(
    'takes %s',
    (value) => expect(email(value)).toBe(true),
  );
  it.each(['', 'a', '@b', 'a@', 'a@b@c', 'a b@c', 'a@-b', 'a@b..c', 'a\n@b', `${'x'.repeat(251)}@b.c`, 'a<b@c'])(
    'refuses %j',
    (value) => expect(email(value)).toBe(false),
  );
});
