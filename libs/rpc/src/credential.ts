import { hash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@platform/service';

/** Compares a presented service credential in constant time. Several are valid at once while one is being replaced. */
export function credentialCheck(valid: readonly Secret[]): (presented: string | undefined) => boolean {
  const digests = valid.map((secret) => digest(secret.reveal()));
  return (presented) => {
    if (presented === undefined) return false;
    const given = digest(presented);
    return digests.reduce((found, expected) => timingSafeEqual(given, expected) || found, false);
  };
}

function digest(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

/**
 * Whether a token is worth a look-up (open-points 1.3): 8 to 512 characters, no control characters.
 * What it must look like to exist is the business of its store.
 */
export function isPlausibleToken(token: string): boolean {
  return token.length >= 8 && token.length <= 512 && !/[\u0000-\u001f\u007f]/.test(token);
}
