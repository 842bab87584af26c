import { InexactNumber } from '@platform/rest';
import { createDigests, type Secret } from '@platform/service';
import type { Marketplace } from '../marketplaces.ts';

/** Returns the digests that identify a document, one per encryption key. The first digest is stored. */
export type DocumentDigests = (marketplace: Marketplace, document: unknown) => readonly [Buffer, ...Buffer[]];

/**
 * Creates digests with keys that are derived from `secrets.encryptionKeys`. A document may contain a password. Without
 * the keys, a digest does not help to guess the password. White space and the order of fields do not change a digest.
 */
export function createDocumentDigests(secrets: readonly Secret[]): DocumentDigests {
  const digests = createDigests(secrets, 'platform notifications');
  return (marketplace, document) => digests(`${marketplace}\n${canonical(document)}`);
}

/** JSON with its fields sorted by name. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof InexactNumber) return { inexact: String(inner.nearest) };
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
