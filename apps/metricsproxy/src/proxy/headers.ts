import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/**
 * What a backend sees of a request. A list of what is passed on, because no list of what must not be is ever complete:
 * credentials of the platform, hop-by-hop headers and names of tenants in any spelling stay here.
 */
const toBackend = [
  'accept', 'accept-encoding', 'accept-language', 'cache-control', 'content-encoding', 'content-length', 'content-type',
  'if-modified-since', 'if-none-match', 'user-agent', 'traceparent', 'tracestate',
] as const;

/** What a client sees of an answer. How long it is kept is not for the backend to say: a revocation ends that, too. */
const toClient = [
  'content-encoding', 'content-length', 'content-type', 'etag', 'last-modified', 'vary', 'warning',
] as const;

/** A browser that opens the answer shows no page of the backend's under the address of the platform. */
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
