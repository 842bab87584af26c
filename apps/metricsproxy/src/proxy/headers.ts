import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/**
 * What a backend sees of a request. A list of what is passed on, because no list of what must not be is ever complete:
 * credentials of the platform, hop-by-hop headers and names of tenants in any spelling stay here.
 */
const toBackend = [
  'accept', 'accept-encoding', 'accept-language', 'cache-control', 'content-encoding', 'content-length', 'content-type',
  'if-modified-since', 'if-none-match', 'user-agent', 'traceparent', 'tracestate',
] as const;

/** What a client sees of an answer. */
const toClient = [
  'cache-control', 'content-encoding', 'content-length', 'content-type', 'etag', 'expires', 'last-modified', 'vary',
  'warning',
] as const;

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
  return toClient.flatMap((name): [string, string][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
}
