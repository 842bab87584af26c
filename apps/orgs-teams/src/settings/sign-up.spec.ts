import { describe, expect, it } from '@jest/globals';
import { signUpProblem } from './store.ts';

const may = (email: string, allowedDomains: string[] = [], registrationDisabled = false): boolean =>
  signUpProblem({ allowedDomains, registrationDisabled }, email) === undefined;

describe('sign-up (open-points 10)', () => {
  it('is open to every domain while none is listed', () => {
    expect(may('ada@anywhere.example')).toBe(true);
  });

  it.each([
    'ada@example.com', 'ada@EXAMPLE.com', '"a@b"@example.com', 'ada@xn--bcher-kva.example', 'ada@bücher.example',
  ])('is open to %s of a listed domain', (email) => {
    expect(may(email, ['example.com', 'xn--bcher-kva.example'])).toBe(true);
  });

  it.each([
    'ada@sub.example.com', 'ada@example.com.evil.org', 'ada@notexample.com', 'ada@example.com@evil.org', '@example.com',
    'example.com', 'ada@', '', 'ada@example.com ',
  ])('is closed to %j', (email) => {
    expect(may(email, ['example.com'])).toBe(false);
  });

  it('is closed to everybody where it is switched off', () => {
    expect(may('ada@example.com', [], true)).toBe(false);
    expect(may('ada@example.com', ['example.com'], true)).toBe(false);
  });
});
