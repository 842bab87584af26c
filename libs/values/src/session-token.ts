const sessionMark = 'session:';

/**
 * The token of a session, as the platform's servers pass it on (open-points 18.3). Only servers of the platform create
 * such tokens, from the session cookie. A session token from another caller is not accepted.
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
