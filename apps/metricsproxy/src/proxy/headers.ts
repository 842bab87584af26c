import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/**
 * Headers of a request that a backend receives. This is a list of allowed headers, because a list of forbidden headers
 * is never complete. Credentials of the platform, hop-by-hop headers and names of tenants in any spelling are not
 * passed on.
 */
const toBackend = [
  'accept', 'accept-encoding', 'accept-language', 'cache-control', 'content-encoding', 'content-length', 'content-type',
  'if-modified-since', 'if-none-match', 'user-agent', 'traceparent', 'tracestate',
] as const;

/**
 * Headers of an answer that a client receives. The caching headers of the backend are not passed on: after a
 * revocation, a client must not use a cached answer.
 */
const toClient = [
  'content-encoding', 'content-length', 'content-type', 'etag', 'last-modified', 'vary', 'warning',
] as const;

/** If a browser opens the answer, it must not run a page of the backend under the address of the platform. */
const shown = "default-src 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

export interface BackendHeaders {
  readonly tenant: string;
  readonly authorization: string | undefined;
}

export function headersToBackend(
  headers: IncomingHttpHeaders, { tenant, authorization }: BackendHeaders,
): OutgoingHttpHeaders {
  const passed = Object.fromEntries(toBackend.flatMap((name) => {
    return headers[name] === undefined ? [] : [[name, headers[name]]];
  }));
  return {
    ...passed,
    ...(headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
    'x-scope-orgid': tenant,
    ...(authorization === undefined ? {} : { authorization }),
  };
}

export function headersToClient(headers: IncomingHttpHeaders): [name: string, value: string][] {
  const passed = toClient.flatMap((name): [string, string][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  return [...passed, ['Content-Security-Policy', shown]];
}
