import type { Secret } from '@platform/service';
import { createSignedLinks, type SignedLinks } from './signed-links.ts';

/** Links for downloads of stored files. They work without a token until they expire. */
export type FileLinks = SignedLinks;

/**
 * Returns an object that creates and checks links of the form `{baseUrl}/files/{key}?expires=&signature=`.
 * @param now returns unix milliseconds
 */
export function createFileLinks(baseUrl: string, secrets: readonly Secret[], now?: () => number): FileLinks {
  return createSignedLinks({ prefix: `${baseUrl}/files/`, purpose: 'platform file links', secrets, now });
}
