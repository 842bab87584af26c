import type { IncomingMessage } from 'node:http';
import { Fault } from '@platform/faults';
import { isSessionToken, sessionToken } from '@platform/values';
import { type CookieRules, readSessionCookie } from './cookies.ts';
import type { Query } from './query.ts';

/** Query parameters that carry a token. Do not log them or repeat them in links. */
export const tokenParameters: ReadonlySet<string> = new Set(['token', 'access_token']);

/**
 * Form of a possible token. The token must be ASCII without spaces, because it is sent in gRPC metadata after a scheme
 * and a space.
 */
const plausible = /^[\x21-\x7e]{8,512}$/;
const scheme = /^(?:token|bearer)(?:[ \t]+(.*))?$/i;

/**
 * Returns the token of a request, or undefined if there is none. There are four ways to send a token (open-points 1.3):
 * the headers `Authorization: token X` and `Authorization: Bearer X`, and the query parameters `token` and
 * `access_token`. Returns a fault if two tokens differ or the token is invalid. Reads the raw headers, because Node's
 * parsed headers hide a repeated `Authorization`.
 */
export function readToken(rawHeaders: readonly string[], query: Query): string | undefined | Fault {
  const found = carriers(rawHeaders, query);
  if (found.length === 0) return undefined;
  const [token] = found;
  if (found.some((other) => other !== token)) {
    return new Fault('AMBIGUOUS_CREDENTIALS', 'the request carries two different tokens; send one');
  }
  // Only servers of the platform create session tokens, from cookies. A client must not send one.
  const isOfClient = token !== undefined && plausible.test(token) && !isSessionToken(token);
  return isOfClient ? token : new Fault('UNAUTHENTICATED', 'invalid token');
}

/**
 * Like {@link readToken}, but also accepts the session cookie (open-points 18.3). If {@link readSessionCookie} returns
 * the cookie, returns a session token, or a fault if the cookie is invalid or the request also has a token.
 */
export function readCredential(
  request: Pick<IncomingMessage, 'rawHeaders' | 'method' | 'headers'>, query: Query, rules: CookieRules,
): string | undefined | Fault {
  const token = readToken(request.rawHeaders, query);
  const session = readSessionCookie(request, rules);
  if (session === undefined || token instanceof Fault) return token;
  if (token !== undefined) {
    return new Fault('AMBIGUOUS_CREDENTIALS', 'the request carries a token and the cookie of a session; send one');
  }
  return plausible.test(session) ? sessionToken(session) : new Fault('UNAUTHENTICATED', 'invalid token');
}

function carriers(rawHeaders: readonly string[], query: Query): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 13 && name.toLowerCase() === 'authorization') {
      const match = scheme.exec(rawHeaders[index + 1]!.trim());
      if (match) found.push((match[1] ?? '').trim());
    }
  }
  for (const name of tokenParameters) found.push(...query.all(name));
  return found;
}
