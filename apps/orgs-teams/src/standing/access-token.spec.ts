import { describe, expect, it } from '@jest/globals';
import { Secret } from '@platform/service';
import { hasTokenForm, newToken, tokenDigest, tokenHash } from './access-token.ts';

describe('access tokens (open-points 1.3)', () => {
  it('have 160 random bits in lower-case hexadecimal', () => {
    const tokens = new Set(Array.from({ length: 100 }, newToken));
    expect(tokens.size).toBe(100);
    expect([...tokens].every(hasTokenForm)).toBe(true);
  });

  it.each(['', 'a'.repeat(39), 'a'.repeat(41), 'A'.repeat(40), `${'a'.repeat(39)}g`, `${'a'.repeat(40)}\n`])(
    'are not %j',
    (text) => expect(hasTokenForm(text)).toBe(false),
  );

  it('are kept as a hash that depends on the key', () => {
    const token = newToken();
    const [one, other] = [new Secret('one key'), new Secret('another key')];
    expect(tokenHash(one, token)).toEqual(tokenHash(one, token));
    expect(tokenHash(one, token)).not.toEqual(tokenHash(other, token));
    expect(tokenDigest(one, token)).toEqual({ hash: tokenHash(one, token), lastEight: token.slice(32) });
    expect(tokenHash(one, token)).toHaveLength(32);
  });
});
