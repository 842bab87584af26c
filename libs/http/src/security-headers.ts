import type { Duplex } from 'node:stream';

/** Browsers must not load or run anything for an answer of the API. A page has its own policy. */
const nothing = "default-src 'none'; frame-ancestors 'none'";
/** One year, the minimum that browsers expect. */
const httpsOnly = 'max-age=31536000';

/**
 * The headers of every answer (open-points 1.7). An answer may be cached only if it permits caching: the answer of a
 * public route depends on the caller, whom a cache does not know. HTTPS is enforced if this process serves HTTPS; a
 * proxy in front of it sends its own header.
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
