import { Fault, tokenRequired } from '@platform/faults';
import { type CookieRules, type Query, readCredential, readToken } from '@platform/http';
import { isBadCredential, isRateLimited, type RateLimiter } from '@platform/limits';
import type { EndpointRequest } from './endpoint-request.ts';

/** Returns the caller's token; undefined for an anonymous caller; the fault if the request must be refused. */
export function readCaller(
  { endpoint, request, address }: EndpointRequest, query: Query, cookies: CookieRules, rateLimiter: RateLimiter,
): string | Fault | undefined {
  const elsewhere = refuseElsewhere({ endpoint, request }, cookies);
  if (elsewhere) return elsewhere;
  const { who } = endpoint.method.access;
  // Anonymous methods ignore credentials (open-points 1.3).
  const token = who === 'anonymous' ? undefined
    : endpoint.takesSession ? readCredential(request, query, cookies) : readToken(request.rawHeaders, query);
  if (token instanceof Fault) return countedFault(token, address, rateLimiter);
  if (token !== undefined) return token;
  const limited = isRateLimited(endpoint.method) ? rateLimiter.anonymous(address) : undefined;
  return limited ?? (who === 'token' || who === 'member' ? tokenRequired() : undefined);
}

/**
 * Counts failed credentials per source. Returns RATE_LIMITED if the source exceeds its limit. Otherwise, returns the
 * fault unchanged.
 */
export function countedFault(fault: Fault, address: string, rateLimiter: RateLimiter): Fault {
  return (isBadCredential(fault) && rateLimiter.failedCredentials(address)) || fault;
}

/**
 * Returns the fault of a call that must be refused (open-points 18.3). A call of an `own_origin` method needs the
 * platform's origin in the header `Origin`, and the content type JSON. A method that sets cookies needs an https URL or
 * a loopback address in `http.baseURL`.
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
    return new Fault('HTTPS_REQUIRED', 'cookies need an https URL or a loopback address in http.baseURL');
  }
  return undefined;
}
