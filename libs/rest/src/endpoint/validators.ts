import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A strong entity tag: the hash of the body. */
export function entityTagOf(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/**
 * Whether the caller's copy is still good (RFC 9110 §13): by If-None-Match when it is there, else by If-Modified-Since.
 * @param lastModified unix seconds; 0 when unknown
 */
export function isUnchanged(headers: IncomingHttpHeaders, entityTag: string, lastModified: number): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) {
    return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === entityTag);
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return lastModified > 0 && since >= lastModified * 1000;
}
