import { expect, it } from '@jest/globals';
import { createDigests } from './digests.ts';
import { Secret } from './secret.ts';

const [older, newer] = [new Secret('older key'), new Secret('newer key')];

it('stores by the newest key, and recognizes by all', () => {
  const [before] = createDigests([older], 'this')('text');
  const [first, ...others] = createDigests([newer, older], 'this')('text');
  expect([first.equals(before), others]).toEqual([false, [before]]);
});

it('differs by content, key and purpose', () => {
  const all = [
    createDigests([older], 'this')('text'), createDigests([older], 'this')('other'),
    createDigests([newer], 'this')('text'), createDigests([older], 'that')('text'),
  ];
  expect(new Set(all.map(([first]) => first.toString('hex'))).size).toBe(all.length);
});

it('needs a key', () => {
  expect(() => createDigests([], 'this')).toThrow(RangeError);
});
