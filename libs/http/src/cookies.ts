import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from '@platform/service';

/** How the platform names and sets its cookies, and which page they are for (open-points 18.3). */
export interface CookieRules {
  /** Scheme, host and port of the platform's own pages, as browsers send them in `Origin`. */
  readonly origin: string;
  /** Cookies are set: over HTTPS, or on loopback. */
  readonly areOffered: boolean;
  /** As the browser has the cookie. */
  nameOf(cookie: string): string;
  /** `Set-Cookie`; an empty value ends the cookie. @param seconds 0: until the browser is closed */
  set(cookie: string, value: string, seconds: number): string;
}

/** @param baseUrl under which people reach the platform */
export function cookieRules(baseUrl: string): CookieRules {
  const { origin, protocol, hostname, port } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  // Cookies know no port: platforms beside each other on one machine would share a name.
  const nameOf = (cookie: string) => (isSecure ? `__Host-${cookie}` : `${cookie}-${port || 80}`);
  const attributes = `HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Lax; Path=/`;
  return {
    origin,
    // Browsers resolve every name below `localhost` to this machine, without DNS.
    areOffered: isSecure || isLoopbackHost(hostname) || hostname.endsWith('.localhost'),
    nameOf,
    set: (cookie, value, seconds) => {
      const age = value === '' ? '; Max-Age=0' : seconds > 0 ? `; Max-Age=${seconds}` : '';
      return `${nameOf(cookie)}=${value}; ${attributes}${age}`;
    },
  };
}

/**
 * The value of a cookie. Undefined if there is none, or if there are several with different values: one of them may be
 * forged.
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
 * The session in the cookie of a request. It counts only for requests of the platform's pages, and for a page that the
 * person opens. A request of another site is treated as one without the cookie.
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
