import { api, http, httpAnswer, type HttpClient } from '@platform/testing';

const { check } = await api();

/** A client of a gateway that checks every answer against the OpenAPI document. */
export function documentedHttp(baseUrl: string): HttpClient {
  return http(baseUrl, check.demand);
}

/** `fetch` with the same check, which follows a redirect first. */
export const documentedFetch: typeof fetch = async (address, options) => {
  const response = await fetch(address, options);
  const { pathname, search } = new URL(response.url);
  const body = Buffer.from(await response.clone().arrayBuffer());
  check.demand(options?.method ?? 'GET', pathname + search, httpAnswer(response.status, [...response.headers], body));
  return response;
};
