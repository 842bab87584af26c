import { percentDecode } from './percent.ts';
import { splitTarget } from './request-head.ts';

/** Below these paths, a segment may be a secret code, such as the code of an invitation. */
const withCodes = [
  '/auth', '/links', '/api/v1/orgs/claim', '/marketplace/api/v1/marketplaces/standalone-organizations',
];
const longest = 200;

/**
 * Returns the path of a request target for logs, cut to 200 characters. Returns the route if the path may contain a
 * secret code, or if the path cannot be decoded. Also recognizes a path with a code if the target is absolute or has
 * escapes, repeated slashes or a fragment. The server may refuse this request, but its code could still be used later.
 */
export function loggedPath(target: string, route: string): string {
  const [path = ''] = splitTarget(target).path.split('#', 1);
  const plain = (percentDecode(path) ?? '').replaceAll(/\/{2,}/g, '/').toLowerCase();
  const isPlain = plain !== '' && !withCodes.some((prefix) => `${plain}/`.startsWith(`${prefix}/`));
  return isPlain ? path.slice(0, longest) : route;
}
