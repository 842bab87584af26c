import { describe, expect, it } from '@jest/globals';
import { createAccount, createOperator, createUser, fromPublic, fromSeed } from '@nats-io/nkeys';
import { type KeyKind, keysOfSeed, newKeys } from './keys.ts';

const message = new TextEncoder().encode('message');
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const theirs = { operator: createOperator, account: createAccount, user: createUser } as const;

describe.each(['operator', 'account', 'user'] satisfies KeyKind[])('keys of an %s', (kind) => {
  it('are those of the client library', () => {
    for (let round = 0; round < 4; round += 1) {
      const made = newKeys(kind);
      const seed = made.getSeed();
      expect(text(fromSeed(seed).getSeed())).toBe(text(seed));
      expect(fromSeed(seed).getPublicKey()).toBe(made.getPublicKey());
      expect(keysOfSeed(text(seed)).getPublicKey()).toBe(made.getPublicKey());
      expect(fromPublic(made.getPublicKey()).verify(message, made.sign(message))).toBe(true);
      const other = theirs[kind]();
      const read = keysOfSeed(`${text(other.getSeed())}\n`);
      expect([read.getPublicKey(), text(read.getSeed())]).toEqual([other.getPublicKey(), text(other.getSeed())]);
      expect(text(read.sign(message))).toBe(text(other.sign(message)));
    }
  });
});

describe('a seed', () => {
  const seed = text(newKeys('account').getSeed());

  it.each([
    ['', 'nothing'],
    [newKeys('account').getPublicKey(), 'a public key'],
    [seed.slice(0, -1), 'cut'],
    [`${seed}A`, 'longer'],
    [seed.toLowerCase(), 'in lower case'],
    [seed.slice(0, 20) + (seed[20] === 'A' ? 'B' : 'A') + seed.slice(21), 'with another letter'],
  ])('is not %j: %s', (given) => {
    expect(() => keysOfSeed(given)).toThrow(Error);
  });
});
