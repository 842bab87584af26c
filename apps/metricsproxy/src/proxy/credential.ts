import { parseQuery, readToken } from '@platform/http';
import type { Fault } from '@platform/rpc';

/**
 * The token of a request: as everywhere (open-points 1.3), or as the password of basic authentication, which is what
 * dashboards send.
 */
export function proxyToken(rawHeaders: readonly string[], rawQuery: string): string | undefined | Fault {
  const asBearer = rawHeaders.map((value, index) => {
    const isAuthorization = index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === 'authorization';
    const [, encoded] = (isAuthorization && /^basic[ \t]+([A-Za-z0-9+/=]+)[ \t]*$/i.exec(value.trim())) || [];
    if (encoded === undefined) return value;
    const pair = Buffer.from(encoded, 'base64').toString('latin1');
    return `Bearer ${pair.slice(pair.indexOf(':') + 1)}`;
  });
  return readToken(asBearer, parseQuery(rawQuery));
}
