import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** A browser is to do nothing with what the API answers; a page that shows something says itself what it may load. */
const nothing = "default-src 'none'; frame-ancestors 'none'";
/** A year, as browsers want it at least. */
const httpsOnly = 'max-age=31536000';

/**
 * The headers of every answer (open-points 1.7). No answer is cached unless it allows that: what a public route answers
 * depends on the caller, whom a cache does not know. HTTPS is enforced where this process speaks it; a proxy in front
 * of it sends its own header.
 * @param own headers of the answer, which count where they say something else
 */
export function securityHeaders(
  socket: Duplex,
  own: readonly (readonly [name: string, value: string])[] = [],
): (readonly [name: string, value: string])[] {
  const usual: [string, string][] = [
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Content-Security-Policy', nothing],
    ['Cache-Control', 'no-store'],
  ];
  if (isEncrypted(socket)) usual.push(['Strict-Transport-Security', httpsOnly]);
  return usual.filter(([name]) => !own.some(([given]) => given.toLowerCase() === name.toLowerCase()));
}

function isEncrypted(socket: Duplex): boolean {
  return 'encrypted' in socket && (socket as IncomingMessage['socket'] & { encrypted: boolean }).encrypted;
}
