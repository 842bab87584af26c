import type { Duplex } from 'node:stream';

/** Browsers must not load or run anything for an answer of the API. A page has its own policy. */
const nothing = "default-src 'none'; frame-ancestors 'none'";
/** One year, in seconds. */
const httpsOnly = 'max-age=31536000';

/**
 * The headers of every answer (open-points 1.7). Caches must not store an answer, unless the answer has its own header
 * Cache-Control: even answers of public routes may depend on the caller, whom a cache does not know. The header that
 * enforces HTTPS is sent only if this process serves HTTPS.
 * @param own headers of the answer, which take precedence
 */
export function securityHeaders(
  socket: Duplex, own: readonly (readonly [name: string, value: string])[] = [],
): (readonly [name: string, value: string])[] {
  const usual: [string, string][] = [
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Content-Security-Policy', nothing],
    ['Cache-Control', 'no-store'],
  ];
  if ('encrypted' in socket && socket.encrypted) usual.push(['Strict-Transport-Security', httpsOnly]);
  return usual.filter(([name]) => !own.some(([given]) => given.toLowerCase() === name.toLowerCase()));
}
