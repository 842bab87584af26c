import { describe, expect, it } from '@jest/globals';
import { createSealer, type Sealed, SealBroken } from './sealing.ts';
import { Secret } from './secret.ts';

const [older, newer] = [new Secret('older key'), new Secret('newer key')];
const sealer = createSealer([newer, older]);
const identity = 'sync_token/3/0';

/** Returns the error that `open` throws; undefined if it throws none. */
function thrownBy(sealed: Sealed, as = identity, by = sealer): unknown {
  try {
    by.open(sealed, as);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('a sealed secret', () => {
  it.each(['', 'key', 'ключ 🔑', 'x'.repeat(4_096)])('opens to what was sealed: %j', (text) => {
    const sealed = sealer.seal(new Secret(text), identity);
    expect(sealer.open(sealed, identity).reveal()).toBe(text);
  });

  it('is sealed by the first key, and opened by all', () => {
    const before = createSealer([older]).seal(new Secret('kept'), identity);
    expect(before.keyId).not.toBe(sealer.keyId);
    expect(sealer.open(before, identity).reveal()).toBe('kept');
    expect(sealer.seal(new Secret('kept'), identity).keyId).toBe(createSealer([newer]).keyId);
  });

  it('looks different each time, and shows nothing of the text', () => {
    const [one, other] = [sealer.seal(new Secret('same'), identity), sealer.seal(new Secret('same'), identity)];
    expect(one.bytes.equals(other.bytes)).toBe(false);
    expect(one.bytes.includes('same')).toBe(false);
  });

  it('is of no use in another row', () => {
    const sealed = sealer.seal(new Secret('mine'), identity);
    expect(thrownBy(sealed, 'sync_token/4/0')).toMatchObject({ name: 'SealBroken', keyKnown: true });
  });

  it('does not open when a single bit has changed, or it was cut', () => {
    const { keyId, bytes } = sealer.seal(new Secret('whole'), identity);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(thrownBy({ keyId, bytes: changed })).toBeInstanceOf(SealBroken);
    }
    for (let length = 0; length < bytes.length; length += 1) {
      expect(thrownBy({ keyId, bytes: bytes.subarray(0, length) })).toBeInstanceOf(SealBroken);
    }
  });

  it('names a key that is missing', () => {
    const sealed = createSealer([older]).seal(new Secret('kept'), identity);
    expect(thrownBy(sealed, identity, createSealer([newer]))).toMatchObject({ name: 'SealBroken', keyKnown: false });
  });

  it('needs a key', () => {
    expect(() => createSealer([])).toThrow(RangeError);
  });
});
