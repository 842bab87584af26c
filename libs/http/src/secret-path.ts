import { percentDecode } from './percent.ts';
import { splitTarget } from './request-head.ts';

/** Below these paths, segments are codes that sign in, open an archive, or claim an organization. */
const withCodes = [
  '/auth', '/links', '/api/v1/orgs/claim', '/marketplace/api/v1/marketplaces/standalone-organizations',
];
const longest = 200;

/**
 * The path of a request target, as logs show it: where codes may stand in it, the route instead. So also where the
 * target is written in another way (absolute, with escapes, slashes or a fragment): a code works whether it was
 * answered or not.
 * @param route template of the route; `unmatched` when there is none
 */
export function loggedPath(target: string, route: string): string {
  const [path = ''] = splitTarget(target).path.split('#', 1);
  const plain = (percentDecode(path) ?? '').replaceAll(/\/{2,}/g, '/').toLowerCase();
  const isPlain = plain !== '' && !withCodes.some((prefix) => `${plain}/`.startsWith(`${prefix}/`));
  return isPlain ? path.slice(0, longest) : route;
}
