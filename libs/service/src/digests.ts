import { createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from './secret.ts';

/** Returns the digests by which a content is recognized later, one per key. The first digest is stored. */
export type Digests = (content: string | Buffer) => readonly [Buffer, ...Buffer[]];

/**
 * Creates digests with keys derived from `secrets.encryptionKeys`. Without the key, a digest does not help to guess the
 * content.
 * @param purpose keeps digests of different purposes apart
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
