import { http, type HttpClient } from '@platform/testing';

/** A client of the port of operators (`/livez`, `/readyz`, `/metrics`), which the document does not describe. */
export function adminHttp(address: string): HttpClient {
  return http(`http://${address}`);
}
