import { createHmac, randomBytes } from 'node:crypto';
import { sessionToken, sessionValue } from '@platform/values';
import type { Secret } from '@platform/service';

/** The stored form of an access token (open-points 1.3) or of a session (18.3). */
export interface TokenDigest {
  readonly hash: Buffer;
  readonly lastEight: string;
}

/** Returns a new token: 40 lower-case hexadecimal characters from 160 random bits. */
export function newToken(): string {
  return randomBytes(20).toString('hex');
}

/** Whether a text has the form of an access token. */
export function hasTokenForm(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/**
 * Whether a text has the form of a session's token (open-points 18.3). The gateway makes this token from the cookie.
 */
export function hasSessionForm(text: string): boolean {
  const value = sessionValue(text);
  return value !== undefined && hasTokenForm(value);
}

/** Returns the stored form of a session: a hash of its token, and the last eight characters of `value`. */
export function sessionDigest(key: Secret, value: string): TokenDigest {
  return { hash: tokenHash(key, sessionToken(value)), lastEight: value.slice(-8) };
}

/** The keyed hash under which a token is stored and looked up. The database compares hashes, not tokens. */
export function tokenHash(key: Secret, token: string): Buffer {
  return createHmac('sha256', key.reveal()).update(token).digest();
}

export function tokenDigest(key: Secret, token: string): TokenDigest {
  return { hash: tokenHash(key, token), lastEight: token.slice(-8) };
}
