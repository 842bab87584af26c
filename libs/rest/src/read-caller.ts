import { Fault, tokenRequired } from '@platform/faults';
import { type CookieRules, type Query, readCredential, readToken } from '@platform/http';
import { isRateLimited, type RateLimiter } from '@platform/limits';
import type { EndpointRequest } from './endpoint-request.ts';
import type { Refusals } from './refusals.ts';

/**
 * Returns the caller's token, undefined for an anonymous caller, or a fault after which the rest of the request is not
 * read.
 */
export function readCaller(
  { endpoint, request, address }: EndpointRequest, query: Query, cookies: CookieRules,
  { refusals, rateLimiter }: { readonly refusals: Refusals; readonly rateLimiter: RateLimiter },
): string | Fault | undefined {
  const elsewhere = refuseElsewhere({ endpoint, request }, cookies);
  if (elsewhere) return elsewhere;
  const token = endpoint.ignoresCaller ? undefined
    : endpoint.takesSession ? readCredential(request, query, cookies) : readToken(request.rawHeaders, query);
  if (token instanceof Fault) return refusals.counted(token);
  if (token !== undefined) return token;
  const limited = isRateLimited(endpoint.method) ? rateLimiter.anonymous(address) : undefined;
  return limited ?? (endpoint.needsToken ? tokenRequired() : undefined);
}

/**
 * Refuses a call from another site to a method for pages of the platform, and a method that sets cookies if cookies are
 * not safe (open-points 18.3).
 */
function refuseElsewhere(
  { endpoint: { method: { rest } }, request: { headers } }: Pick<EndpointRequest, 'endpoint' | 'request'>,
  { origin, areOffered }: CookieRules,
): Fault | undefined {
  if (rest.ownOrigin && headers.origin !== origin) {
    return new Fault('FORBIDDEN', 'only pages of the platform may do this: Origin must be the origin of http.baseURL');
  }
  if (rest.ownOrigin && !/^application\/json[ \t]*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    return new Fault('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json');
  }
  if (rest.cookies.length > 0 && !areOffered) {
    return new Fault('HTTPS_REQUIRED', 'signing in needs HTTPS (http.baseURL), or an address on loopback');
  }
  return undefined;
}
