import { api, http, httpAnswer, type HttpClient } from '@platform/testing';

const { check } = await api();

/** A client of a gateway whose every answer is held against the OpenAPI document. */
export function documentedHttp(baseUrl: string): HttpClient {
  return http(baseUrl, check.demand);
}

/** `fetch`, with the same care. A redirect is followed first. */
export const documentedFetch: typeof fetch = async (address, options) => {
  const response = await fetch(address, options);
  const { pathname, search } = new URL(response.url);
  const body = Buffer.from(await response.clone().arrayBuffer());
  check.demand(options?.method ?? 'GET', pathname + search, httpAnswer(response.status, [...response.headers], body));
  return response;
};
