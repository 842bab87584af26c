import { createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from './secret.ts';

/** Returns one digest of the content per key. Store the first digest, and compare all digests with a stored digest. */
export type Digests = (content: string | Buffer) => readonly [Buffer, ...Buffer[]];

/**
 * Returns a function that digests content with keys derived from `secrets.encryptionKeys`. Without the key, a digest
 * does not help to guess the content.
 * @param purpose the same content has different digests for different purposes
 * @throws RangeError if there is no key
 */
export function createDigests(secrets: readonly Secret[], purpose: string): Digests {
  const [first, ...others] = secrets.map((one) => Buffer.from(hkdfSync('sha256', one.reveal(), '', purpose, 32)));
  if (first === undefined) throw new RangeError('secrets.encryptionKeys contains no key');
  return (content) => {
    const digest = (key: Buffer): Buffer => createHmac('sha256', key).update(content).digest();
    return [digest(first), ...others.map(digest)];
  };
}
