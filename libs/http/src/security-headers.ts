import type { Duplex } from 'node:stream';

/** Browsers must not load or run anything for an answer of the API. A page has its own policy. */
const nothing = "default-src 'none'; frame-ancestors 'none'";
/** Value of the header Strict-Transport-Security: one year, in seconds. */
const httpsOnly = 'max-age=31536000';

/**
 * Returns the security headers of an answer (open-points 1.7). By default, caches must not store an answer. Even the
 * answer of a public route may depend on the caller. The header that enforces HTTPS is sent only over HTTPS.
 * @param own headers of the answer, which take precedence
 */
export function securityHeaders(
  socket: Duplex, own: readonly (readonly [name: string, value: string])[] = [],
): (readonly [name: string, value: string])[] {
  const usual = 'encrypted' in socket && socket.encrypted ? encrypted : plain;
  return usual.filter(([name]) => !own.some(([given]) => isSame(given, name)));
}

const plain: readonly (readonly [name: string, value: string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', nothing],
  ['Cache-Control', 'no-store'],
];
const encrypted = [...plain, ['Strict-Transport-Security', httpsOnly] as const];

function isSame(one: string, other: string): boolean {
  return one.length === other.length && one.toLowerCase() === other.toLowerCase();
}
