import { createHmac, randomBytes } from 'node:crypto';
import type { Secret } from '@platform/service';

/** What is kept of an access token (open-points 1.3). */
export interface TokenDigest {
  readonly hash: Buffer;
  readonly lastEight: string;
}

/** 40 lower-case hexadecimal characters from 160 random bits. */
export function newToken(): string {
  return randomBytes(20).toString('hex');
}

/** Whether a text can be a token of ours; anything else needs no look-up. */
export function hasTokenForm(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/**
 * The keyed hash under which a token is stored and looked up. The database compares hashes, never tokens, so the time
 * of a look-up reveals nothing about the tokens there are.
 */
export function tokenHash(key: Secret, token: string): Buffer {
  return createHmac('sha256', key.reveal()).update(token).digest();
}

/** What to store of a token. */
export function tokenDigest(key: Secret, token: string): TokenDigest {
  return { hash: tokenHash(key, token), lastEight: token.slice(-8) };
}
