import { tokenParameters } from '@platform/http';

export interface ProxyTarget {
  /** The identity of a cluster or project (`identityText`), as the path contains it. It may be invalid. */
  readonly identity: string;
  /** The part of the path after the identity, not decoded, such as `api/v1/query`. */
  readonly path: string;
}

/** Prefix of the paths that the gateway passes on to metricsproxy, without the path of `http.baseURL`. */
const passedPrefix = '/metrics-proxy';

/**
 * Parses `{prefix}/{identity}/{path}`. The prefix may also be absent or {@link passedPrefix}, because a proxy in front
 * may have changed the prefix. Returns undefined for other paths.
 * @param prefix path of the public URL of metricsproxy
 */
export function proxyTarget(prefix: string, path: string): ProxyTarget | undefined {
  const given = [prefix, passedPrefix].find((one) => one !== '' && path.startsWith(`${one}/`)) ?? '';
  const found = /^\/([^/]+)\/(.+)$/.exec(path.slice(given.length));
  return found ? { identity: found[1]!, path: found[2]! } : undefined;
}

/**
 * Paths that are forwarded for GET, HEAD and POST (open-points 9.1). `federate` is forwarded for GET and HEAD only.
 * Other paths are not forwarded, because a backend might accept writes with the platform's credentials.
 */
const queries = new RegExp(`^api/v1/(?:${[
  'query', 'query_range', 'query_exemplars', 'series', 'labels', 'label/([^/]+)/values', 'metadata', 'rules', 'alerts',
  'format_query', 'parse_query', 'status/buildinfo',
].join('|')})$`);

/**
 * Matches a label name with a segment `.` or `..`, which may lead a backend to another path. A backend may decode `%2F`
 * and `%5C`, even repeatedly, before it resolves dots. A backend may also ignore what follows a semicolon in a segment.
 */
const dots = /(?:^|[\\]|%(?:25)*(?:2f|5c))(?:\.|%(?:25)*2e){1,2}(?:[\\;]|%(?:25)*(?:2f|5c|3b)|$)/i;

export function isReading(method: string, path: string): boolean {
  if (path === 'federate') return method !== 'POST';
  const found = queries.exec(path);
  return found !== null && (found[1] === undefined || !dots.test(found[1]));
}

/**
 * Returns the URL of a query at a backend. Appends the path and the query string of the request to those of `base`.
 * Leaves out parameters that contain tokens of the platform.
 */
export function backendUrl(base: string, path: string, rawQuery: string): URL {
  const url = new URL(base);
  const asked = rawQuery.split('&').filter((pair) => pair !== '' && !tokenParameters.has(nameOf(pair)));
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  url.search = [url.search.slice(1), ...asked].filter((part) => part !== '').join('&');
  return url;
}

function nameOf(pair: string): string {
  const name = pair.split('=', 1)[0]!.replaceAll('+', ' ');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
