const sessionMark = 'session:';

/**
 * Converts the value of a session cookie to a token for calls between servers of the platform (open-points 18.3). The
 * servers refuse such a token from a client.
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
