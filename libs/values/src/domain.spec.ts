import { describe, expect, it } from '@jest/globals';
import { normalDomain } from './domain.ts';

describe('a domain of e-mail addresses (open-points 10)', () => {
  it.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.Com', 'example.com'],
    ['mail.example.co.uk', 'mail.example.co.uk'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['1and1.com', '1and1.com'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
  ])('%s is %s', (text, domain) => {
    expect(normalDomain(text)).toBe(domain);
  });

  it.each([
    '', ' ', 'localhost', 'com', 'example.', '.com', 'a..b', '.', '*.example.com', '*', '-a.com', 'a-.com', 'a_b.com',
    'user@example.com', '@example.com', '＠example.com', 'example.com ', ' example.com', 'exa mple.com',
    'exam\tple.com', 'exam\nple.com', 'ex%61mple.com',
    'example.com/path', 'example.com:25', 'http://example.com', 'example.com?',
    '10.0.0.1', '127.1', '0x7f.1', '[::1]', 'a.com,b.com', 'xn--a.com', 'a\0b.com', '\ud800.com',
    `${'a'.repeat(64)}.com`, `${'a.'.repeat(127)}com`,
    'a／b.com', 'a％2eb.com',
  ])('%j is not one', (text) => {
    expect(normalDomain(text)).toBeUndefined();
  });
});
