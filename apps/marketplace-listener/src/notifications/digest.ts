import { InexactNumber } from '@platform/rest';
import { createDigests, type Secret } from '@platform/service';
import type { Marketplace } from '../marketplaces.ts';

/** Returns the digests of a document by which it is recognized when it is sent again: the first is the one to store. */
export type DocumentDigests = (marketplace: Marketplace, document: unknown) => readonly [Buffer, ...Buffer[]];

/**
 * Digests with keys that are derived from `secrets.encryptionKeys`: passwords in a document cannot be guessed by its
 * digest. White space and the order of members do not matter.
 */
export function createDocumentDigests(secrets: readonly Secret[]): DocumentDigests {
  const digests = createDigests(secrets, 'platform notifications');
  return (marketplace, document) => digests(`${marketplace}\n${canonical(document)}`);
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
