import { createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from './secret.ts';

/** Returns the digests of something by which it is recognized later, one per key: the first is the one to store. */
export type Digests = (content: string | Buffer) => readonly [Buffer, ...Buffer[]];

/**
 * Digests with keys that are derived from `secrets.encryptionKeys`: without a key nobody can guess by the digest what
 * was digested.
 * @param purpose keeps digests of different purposes apart
 * @throws RangeError when there is no key
 */
export function createDigests(secrets: readonly Secret[], purpose: string): Digests {
  const keys = secrets.map((one) => Buffer.from(hkdfSync('sha256', one.reveal(), '', purpose, 32)));
  const [first, ...others] = keys;
  if (first === undefined) throw new RangeError('secrets.encryptionKeys holds no key');
  return (content) => {
    const digest = (key: Buffer): Buffer => createHmac('sha256', key).update(content).digest();
    return [digest(first), ...others.map(digest)];
  };
}
