import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenApiDocument } from '@platform/openapi';
import { documentCheck, http, httpAnswer, type HttpClient, repositoryRoot } from '@platform/testing';

// Read, not made: the specs of libs/openapi hold what is committed against the protos.
const committed = await readFile(join(repositoryRoot, 'docs/openapi.json'), 'utf8');
const check = documentCheck(JSON.parse(committed) as OpenApiDocument);

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
