import { describe, expect, it } from '@jest/globals';
import {
  controlCharacterProblem, dnsLabelProblem, emailProblem, idProblem, lengthProblem, uuidProblem, webAddressProblem,
} from './texts.ts';

const anyWeb = ['http', 'https'];

describe('web addresses (open-points 3.1)', () => {
  it.each([
    '', 'http://a', 'https://example.org', 'HTTPS://Example.org/path?query#part', 'http://127.0.0.1:8080', 'https://[::1]/',
    `https://example.org/${'x'.repeat(235)}`,
  ])('accepts %j', (value) => {
    expect(webAddressProblem(value, anyWeb)).toBeUndefined();
  });

  it.each([
    'example.org', '//example.org', 'ftp://example.org', 'javascript:alert(1)', 'https:example.org', 'https://', 'http:///x',
    'https://exa mple.org', ' https://example.org', 'https://example.org\n', 'https:\\\\example.org',
    'https://example.org/\u0007', 'https://example.org/"><x', 'https://example.org/{a}', 'https://example.org/\u007f',
    `https://example.org/${'x'.repeat(236)}`,
  ])('refuses %j', (value) => {
    expect(webAddressProblem(value, anyWeb)).toEqual(expect.any(String));
  });

  it('refuses http where only https is accepted', () => {
    expect(webAddressProblem('http://example.org', ['https'])).toEqual(expect.any(String));
    expect(webAddressProblem('https://example.org', ['https'])).toBeUndefined();
  });
});

describe('lengths', () => {
  it.each<[string, string, { least?: number; most: number }, boolean]>([
    ['counts characters, not code units', '😀'.repeat(100), { most: 100 }, true],
    ['refuses one more', '😀'.repeat(101), { most: 100 }, false],
    ['accepts an empty text', '', { most: 100 }, true],
    ['refuses an empty text where one is needed', '', { least: 1, most: 100 }, false],
    ['refuses a short text that is too long', 'x'.repeat(51), { most: 50 }, false],
    ['accepts a short text of many code units', '😀'.repeat(50), { most: 50 }, true],
    ['counts half a surrogate pair as one', '\ud800'.repeat(3), { most: 3 }, true],
  ])('%s', (_what, value, bounds, accepted) => {
    expect(lengthProblem(value, bounds) === undefined).toBe(accepted);
  });
});

describe('e-mail addresses', () => {
  it.each(['a@b', 'a.b+c@example.org', 'ä@example.org', 'a@b-c.d'])('accepts %s', (value) => {
    expect(emailProblem(value)).toBeUndefined();
  });
  it.each(['', 'a', '@b', 'a@', 'a@b@c', 'a b@c', 'a@-b', 'a@b..c', 'a\n@b', `${'x'.repeat(251)}@b.c`, 'a<b@c'])(
    'refuses %j',
    (value) => expect(emailProblem(value)).toEqual(expect.any(String)),
  );
});

describe('names of Kubernetes objects', () => {
  it.each(['a', '0', 'a-b', 'x'.repeat(63)])('accepts %s', (value) => {
    expect(dnsLabelProblem(value)).toBeUndefined();
  });
  it.each(['', '-a', 'a-', 'A', 'a.b', 'a_b', '..', 'x'.repeat(64), 'a\n'])('refuses %j', (value) => {
    expect(dnsLabelProblem(value)).toEqual(expect.any(String));
  });
});

describe('UUIDs, ids and control characters', () => {
  it.each(['00000000-0000-0000-0000-000000000000', 'ABCDEF01-2345-6789-abcd-ef0123456789'])('accepts %s', (value) => {
    expect(uuidProblem(value)).toBeUndefined();
  });
  it.each([
    '', '0'.repeat(32), '{00000000-0000-0000-0000-000000000000}', '00000000-0000-0000-0000-00000000000g',
    '00000000-0000-0000-0000-000000000000\n', '00000000-0000-0000-0000-0000000000000',
  ])('refuses %j', (value) => {
    expect(uuidProblem(value)).toEqual(expect.any(String));
  });

  it('numbers objects from 1', () => {
    expect([1, 0, -1].map((id) => idProblem(id) === undefined)).toEqual([true, false, false]);
  });

  it('refuses control characters', () => {
    const accepted = ['a b', 'é', ' ', 'a\tb', 'a\0', 'a\u007f', 'a\n'].map((text) => controlCharacterProblem(text) === undefined);
    expect(accepted).toEqual([true, true, true, false, false, false, false]);
  });
});
