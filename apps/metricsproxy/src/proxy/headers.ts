import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/**
 * Headers of a request that are copied to the backend. This is a list of allowed headers, because a list of forbidden
 * headers might be incomplete.
 */
const toBackend = [
  'accept', 'accept-encoding', 'accept-language', 'cache-control', 'content-encoding', 'content-length', 'content-type',
  'if-modified-since', 'if-none-match', 'user-agent', 'traceparent', 'tracestate',
] as const;

/**
 * Headers of an answer that are passed to a client. `Cache-Control` and `Expires` are left out, so that the platform's
 * `no-store` applies. A client with a revoked token must not use cached answers.
 */
const toClient = [
  'content-encoding', 'content-length', 'content-type', 'etag', 'last-modified', 'vary', 'warning',
] as const;

/** Content security policy: a browser must not run scripts of the backend under the platform's address. */
const shown = "default-src 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

export function headersToBackend(
  headers: IncomingHttpHeaders, tenant: string, authorization: string | undefined,
): OutgoingHttpHeaders {
  const passed: Record<string, string | string[]> = { 'x-scope-orgid': tenant };
  if (authorization !== undefined) passed['authorization'] = authorization;
  if (headers['transfer-encoding'] !== undefined) passed['transfer-encoding'] = 'chunked';
  for (const name of toBackend) if (headers[name] !== undefined) passed[name] = headers[name];
  return passed;
}

export function headersToClient(headers: IncomingHttpHeaders): [name: string, value: string][] {
  const passed = toClient.flatMap((name): [string, string][] =>
    (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  return [...passed, ['Content-Security-Policy', shown]];
}
