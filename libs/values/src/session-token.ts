const sessionMark = 'session:';

/**
 * Returns the token of a session, as the platform's servers pass it on (open-points 18.3). These servers create it from
 * the session cookie. A session token from another caller is not accepted.
 */
export function sessionToken(value: string): string {
  return `${sessionMark}${value}`;
}

export function isSessionToken(token: string): boolean {
  return token.startsWith(sessionMark);
}

export function sessionValue(token: string): string | undefined {
  return isSessionToken(token) ? token.slice(sessionMark.length) : undefined;
}
