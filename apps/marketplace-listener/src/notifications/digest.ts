import { createHmac, hkdfSync } from 'node:crypto';
import { InexactNumber } from '@platform/rest';
import type { Secret } from '@platform/service';
import type { Marketplace } from '../marketplaces.ts';

/** Returns the digests of a document by which it is recognized when it is sent again: the first is the one to store. */
export type Digests = (marketplace: Marketplace, document: unknown) => readonly [Buffer, ...Buffer[]];

/**
 * Digests with keys that are derived from `secrets.encryptionKeys`: passwords in a document cannot be guessed by its
 * digest. White space and the order of members do not matter.
 */
export function createDigests(secrets: readonly Secret[]): Digests {
  const keys = secrets.map((one) => Buffer.from(hkdfSync('sha256', one.reveal(), '', 'platform notifications', 32)));
  return (marketplace, document) => {
    const text = `${marketplace}\n${canonical(document)}`;
    const [first, ...others] = keys.map((key) => createHmac('sha256', key).update(text).digest());
    if (first === undefined) throw new RangeError('secrets.encryptionKeys holds no key');
    return [first, ...others];
  };
}

/** JSON with its members by name. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof InexactNumber) return { inexact: String(inner.nearest) };
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    const members = Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(members);
  });
}
