import { percentDecode } from './percent.ts';
import { splitTarget } from './request-head.ts';

/** Below these paths, segments may be secret codes, for example for a sign-in or an archive. */
const withCodes = [
  '/auth', '/links', '/api/v1/orgs/claim', '/marketplace/api/v1/marketplaces/standalone-organizations',
];
const longest = 200;

/**
 * Returns the path of a request target for logs, cut to 200 characters. If the path may contain a code, returns the
 * route instead. This also applies to an absolute target and to a target with escapes, repeated slashes or a fragment,
 * because a code is valid even if the request was not answered.
 */
export function loggedPath(target: string, route: string): string {
  const [path = ''] = splitTarget(target).path.split('#', 1);
  const plain = (percentDecode(path) ?? '').replaceAll(/\/{2,}/g, '/').toLowerCase();
  const isPlain = plain !== '' && !withCodes.some((prefix) => `${plain}/`.startsWith(`${prefix}/`));
  return isPlain ? path.slice(0, longest) : route;
}
