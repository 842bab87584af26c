import type { Secret } from '@platform/service';
import { createSignedLinks, type SignedLinks } from './signed-links.ts';

/** Addresses under which stored files can be downloaded for a while, without a token, by their keys. */
export type FileLinks = SignedLinks;

/** `{base_url}/files/{key}?expires=&signature=`. @param now unix milliseconds */
export function createFileLinks(baseUrl: string, secrets: readonly Secret[], now?: () => number): FileLinks {
  return createSignedLinks({ prefix: `${baseUrl}/files/`, purpose: 'platform file links', secrets, now });
}
