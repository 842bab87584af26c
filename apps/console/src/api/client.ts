import { ApiRefusal, type Call, createClient, type Operations, refusalOf } from '@platform/client';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { basePath } from './page.ts';

/** The client of the platform's API. Calls carry the session's cookie, which scripts cannot read. */
export const platform = createClient({
  baseUrl: `${location.origin}${basePath}`,
  fetch: (address, options) => fetch(address, { ...options, credentials: 'same-origin' }),
});

/** An object with its revision. A form sends this revision with its change: see {@link ifStill}. */
export type Revised<T> = T & { readonly revision?: string | undefined };

export async function readRevised<N extends keyof Operations>(
  name: N, call: Call<N>,
): Promise<Revised<Operations[N]['answer']>> {
  const { value, revision } = await platform.read(name, ...([call] as never));
  return { ...(value as object), revision } as Revised<Operations[N]['answer']>;
}

/**
 * Returns the header `If-Match`, or no header if the revision is undefined. With the header, the platform refuses a
 * change if the object now has another revision.
 */
export function ifStill(revision: string | undefined): { 'If-Match'?: string } {
  return revision === undefined ? {} : { 'If-Match': revision };
}

export function addressOf(path: string): string {
  return `${basePath}${path}`;
}

/** Returns the URL that downloads a whole list, or usage figures, as a CSV file (open-points 18.7). */
export function csvOf<N extends keyof Operations>(name: N, parameters: Operations[N]['parameters']): string {
  const address = platform.address(name, parameters);
  return `${address}${address.includes('?') ? '&' : '?'}format=csv`;
}

const queryTimeoutMs = 30_000;

/**
 * Sends a query to a metrics backend. Returns the JSON of the answer.
 * @param identity name of the backend's datasource
 * @throws ApiRefusal for an error status
 * @throws the error of `fetch`, or of parsing the JSON
 */
export async function askMetrics(identity: string, query: string): Promise<unknown> {
  const path = `/metrics-proxy/${encodeURIComponent(identity)}/api/v1/query?${new URLSearchParams({ query })}`;
  const response = await fetch(addressOf(path), { signal: AbortSignal.timeout(queryTimeoutMs) });
  if (!response.ok) throw await refusalOf(response);
  return response.json();
}

/** Waits for an answer. Returns undefined if the object does not exist (status 404). */
export async function ifThere<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 404) return undefined;
    throw error;
  }
}

/** Whether a retry may succeed. True if there was no answer, or if the status is 429 or at least 502. */
export function isAway(error: unknown): boolean {
  if (error instanceof ApiRefusal) return error.status >= 502 || error.status === 429;
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}

export const sessionKey = ['session'] as const;

const mostTries = 2;

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < mostTries && isAway(error),
      // Repeats the query every 5 seconds while its service is unavailable.
      refetchInterval: ({ state }) => (state.error !== null && isAway(state.error) ? 5_000 : false),
      throwOnError: false,
    },
    mutations: { onError: noticeEnd },
  },
});

/**
 * TanStack Query clears the error of a query without data when it fetches the query again. This function restores the
 * error, so that the page shows it until the next answer.
 */
function keepReasons(): void {
  const reasons = new WeakMap<object, Error>();
  queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { query, action } = event;
    if (action.type === 'error') reasons.set(query, action.error as Error);
    const error = reasons.get(query);
    if (action.type === 'fetch' && error !== undefined) query.setState({ status: 'error', error });
    else if (query.state.error === null) reasons.delete(query);
  });
}

keepReasons();

/**
 * Reads the session again after status 401. If the session has ended, the sign-in covers the page, and typed text
 * stays.
 */
function noticeEnd(error: unknown): void {
  if (error instanceof ApiRefusal && error.status === 401) void queries.invalidateQueries({ queryKey: sessionKey });
}
