import { percentDecode } from './percent.ts';
import { splitTarget } from './request-head.ts';

/** Below these paths, segments may be secret codes, for example for a sign-in or an archive. */
const withCodes = [
  '/auth', '/links', '/api/v1/orgs/claim', '/marketplace/api/v1/marketplaces/standalone-organizations',
];
const longest = 200;

/**
 * Returns the path of a request target for logs, cut to 200 characters. Returns the route if the path may contain a
 * secret code. The check covers absolute targets, escapes, repeated slashes and fragments, because a code stays valid
 * if such a request is refused.
 */
export function loggedPath(target: string, route: string): string {
  const [path = ''] = splitTarget(target).path.split('#', 1);
  const plain = (percentDecode(path) ?? '').replaceAll(/\/{2,}/g, '/').toLowerCase();
  const isPlain = plain !== '' && !withCodes.some((prefix) => `${plain}/`.startsWith(`${prefix}/`));
  return isPlain ? path.slice(0, longest) : route;
}
