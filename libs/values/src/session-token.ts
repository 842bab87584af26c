const sessionMark = 'session:';

/**
 * The token of a session, as servers of ours pass it on (open-points 18.3). Only the gateway makes one, of the cookie;
 * from anybody else it is no token.
 */
export function sessionToken(value: string): string {
  return `${sessionMark}${value}`;
}

/** Whether a token is that of a session. */
export function isSessionToken(token: string): boolean {
  return token.startsWith(sessionMark);
}

/** The value in the token of a session; undefined for any other token. */
export function sessionValue(token: string): string | undefined {
  return isSessionToken(token) ? token.slice(sessionMark.length) : undefined;
}
