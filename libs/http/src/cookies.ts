import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from '@platform/service';

/** How the platform names and sets its cookies, and which pages may use them (open-points 18.3). */
export interface CookieRules {
  /** Scheme, host and port of the platform's own pages, as browsers send them in `Origin`. */
  readonly origin: string;
  /** Whether the platform may set cookies. Without HTTPS, only on loopback hosts and names below `localhost`. */
  readonly areOffered: boolean;
  /** Returns the name under which the browser stores the cookie. */
  nameOf(cookie: string): string;
  /**
   * Returns the value of `Set-Cookie`. An empty `value` deletes the cookie. Otherwise, Max-Age is `seconds`, or is left
   * out if `seconds` is 0.
   */
  set(cookie: string, value: string, seconds: number): string;
}

/** @param baseUrl the public address of the platform */
export function cookieRules(baseUrl: string): CookieRules {
  const { origin, protocol, hostname, port } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  // Browsers do not separate cookies by port. So HTTP servers on different ports of a host need different cookie names.
  const nameOf = (cookie: string) => (isSecure ? `__Host-${cookie}` : `${cookie}-${port || 80}`);
  const attributes = `HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Lax; Path=/`;
  return {
    origin,
    // Most browsers resolve names below `localhost` to a loopback address, without DNS.
    areOffered: isSecure || isLoopbackHost(hostname) || hostname.endsWith('.localhost'),
    nameOf,
    set: (cookie, value, seconds) => {
      const age = value === '' ? '; Max-Age=0' : seconds > 0 ? `; Max-Age=${seconds}` : '';
      return `${nameOf(cookie)}=${value}; ${attributes}${age}`;
    },
  };
}

/**
 * Returns the value of a cookie. Returns undefined if the cookie is missing. Also returns undefined if the request has
 * different values of the cookie, because one of them may be forged.
 */
export function readCookie({ cookie: header }: IncomingHttpHeaders, name: string): string | undefined {
  if (header === undefined || !header.includes(name)) return undefined;
  const values = new Set<string>();
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) values.add(pair.slice(at + 1).trim());
  }
  return values.size === 1 ? [...values][0] : undefined;
}

/**
 * Returns the value of the session cookie if a page of the platform sent the request, or if the user opened the address
 * directly. Otherwise, returns undefined.
 */
export function readSessionCookie(
  { method, headers }: { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders },
  { nameOf, origin }: CookieRules,
): string | undefined {
  const value = readCookie(headers, nameOf('session'));
  if (value === undefined) return undefined;
  const site = headers['sec-fetch-site'];
  if (site !== 'same-origin' && !(site === 'none' && method === 'GET')) return undefined;
  return method === 'GET' || method === 'HEAD' || headers.origin === origin ? value : undefined;
}
