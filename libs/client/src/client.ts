import { type Operations, routes } from './generated/api.ts';
import { refusalOf } from './refusal.ts';

type Name = keyof Operations;
/** An object with the member `Key`. The member is optional if `Value` may be undefined or has no required members. */
type Given<Key extends string, Value> = undefined extends Value
  ? { readonly [K in Key]?: Value }
  : Record<string, never> extends Value ? { readonly [K in Key]?: Value } : { readonly [K in Key]: Value };

export type Call<N extends Name> = Given<'parameters', Operations[N]['parameters']> &
  Given<'body', Operations[N]['body']> & {
    /** Ends the call early. */
    readonly signal?: AbortSignal;
  };

/** Makes the argument optional if it has no required member. */
type Optional<C> = Record<string, never> extends C ? [call?: C] : [call: C];

/** Operations that return a list and have no request body. */
export type ListName = {
  [N in Name]: Operations[N] extends { answer: readonly unknown[]; body: undefined } ? N : never;
}[Name];

export interface ClientOptions {
  /** For example `https://platform.example.org`, without the path of the API. */
  readonly baseUrl: string;
  /** Access token that is sent with every call. Without a token, calls are anonymous. */
  readonly token?: string;
  /** Time limit of a call, in milliseconds; default 30,000. */
  readonly timeout?: number;
  /** Replaces the `fetch` of the runtime. */
  readonly fetch?: typeof fetch;
}

export interface Client {
  /**
   * Calls an operation by its id in the OpenAPI document and returns the body of the successful answer.
   * @throws ApiRefusal when the platform refuses the call
   * @throws TypeError when a parameter cannot be sent, or when the connection fails. No parameter may contain half of a
   *   surrogate pair. A path parameter must not be empty, `.` or `..`
   * @throws DOMException `TimeoutError` when the answer is not complete in time
   * @throws the reason of `signal` when `signal` ends the call
   * @throws SyntaxError when the answer has the content type of JSON, but is not valid JSON
   */
  call<N extends Name>(name: N, ...call: Optional<Call<N>>): Promise<Operations[N]['answer']>;
  /**
   * Calls an operation that reads one object. Returns the object with its revision (`ETag`). `revision` is undefined if
   * the answer has none. Send the revision as `If-Match` with a change: if the object has changed since, the change is
   * refused with `precondition_failed`. Throws as `call` does.
   */
  read<N extends Name>(
    name: N, ...call: Optional<Call<N>>
  ): Promise<{ value: Operations[N]['answer']; revision: string | undefined }>;
  /**
   * Returns the URL of a `GET` operation, with its path and query parameters, for links and downloads.
   * @throws TypeError when a parameter cannot be sent
   */
  address<N extends Name>(name: N, parameters?: Operations[N]['parameters']): string;
  /**
   * Reads one page of a list. Without `page` and a page size, reads the first rows, up to the platform's limit for the
   * list. `total` is the length of the whole list.
   * @throws Error when the answer has no valid `X-Total-Count`; otherwise as `call` does
   */
  list<N extends ListName>(
    name: N, ...call: Optional<Call<N>>
  ): Promise<{ items: Operations[N]['answer']; total: number }>;
  /**
   * Reads a whole list page by page. An item that does not change meanwhile is returned exactly once. Throws as `call`
   * does.
   */
  walk<N extends ListName>(name: N, ...call: Optional<Call<N>>): AsyncGenerator<Operations[N]['answer'][number]>;
}

/** Like {@link Call}, but without the types of a particular operation. */
interface AnyCall {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

const defaultTimeout = 30_000;
/** Page size that `walk` requests by default. The platform reduces a larger size to this size. */
const pageSize = 50;

/** A client of the platform's API. It keeps no state and does not repeat calls. */
export function createClient({ baseUrl, token, timeout = defaultTimeout, fetch: send = fetch }: ClientOptions): Client {
  const base = baseUrl.replace(/\/+$/, '');

  function addressOf(name: Name, given: Readonly<Record<string, unknown>>): string {
    const { path, query } = routes[name];
    return `${base}${pathOf(path, given)}${searchOf(query, given)}`;
  }

  async function exchange(name: Name, { parameters: given = {}, body, signal }: AnyCall): Promise<Response> {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const asIs = body === undefined || body instanceof FormData || body instanceof Blob;
    if (!asIs) headers['content-type'] = 'application/json';
    for (const header of routes[name].headers) {
      if (given[header] !== undefined) headers[header] = String(given[header]);
    }
    const limit = AbortSignal.timeout(timeout);
    const response = await send(addressOf(name, given), {
      method: routes[name].verb,
      headers,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      ...(body === undefined ? {} : { body: asIs ? (body as FormData | Blob) : JSON.stringify(body) }),
    });
    if (response.status >= 400) throw await refusalOf(response);
    return response;
  }

  return {
    call: async (name, call: AnyCall = {}) => (await bodyOf(await exchange(name, call))) as never,
    read: async (name, call: AnyCall = {}) => {
      const response = await exchange(name, call);
      return { value: (await bodyOf(response)) as never, revision: response.headers.get('etag') ?? undefined };
    },
    address: (name, parameters) => addressOf(name, parameters ?? {}),
    list: async (name, call: AnyCall = {}) => {
      const response = await exchange(name, call);
      return { items: (await bodyOf(response)) as never, total: totalOf(response) };
    },
    async *walk(name, call: AnyCall = {}) {
      const size = pageSizeOf(name);
      let parameters: AnyCall['parameters'] | undefined = { ...(size && { [size]: pageSize }), ...call.parameters };
      while (parameters) {
        const response = await exchange(name, { ...call, parameters });
        yield* (await bodyOf(response)) as never[];
        const next = nextOf(response);
        parameters = next && { ...parameters, ...next };
      }
    },
  };
}

/** Returns the name of the parameter for the page size; undefined if the operation has no pages. */
export function pageSizeOf(name: Name): 'limit' | 'per_page' | undefined {
  const names: readonly string[] = routes[name].query;
  if (!names.includes('after') || !names.includes('page')) return undefined;
  return names.includes('per_page') ? 'per_page' : 'limit';
}

/** Returns the parameters of the next page, from the header `Link`; undefined on the last page. */
function nextOf({ headers }: Response): AnyCall['parameters'] | undefined {
  const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (next === undefined) return undefined;
  const { searchParams } = new URL(next);
  return { page: searchParams.get('page') ?? undefined, after: searchParams.get('after')! };
}

/** Returns the length of the whole list. @throws Error if the header `X-Total-Count` is missing or is not a number */
function totalOf({ headers }: Response): number {
  const total = headers.get('x-total-count') ?? '';
  if (!/^\d+$/.test(total)) throw new Error(`the answer does not have the length of the list: X-Total-Count is '${total}'`);
  return Number(total);
}

/**
 * Fills parameters into a path. An empty segment, `.` or `..` could lead to another operation, even if it is encoded.
 * @throws TypeError for these segments and for half of a surrogate pair
 */
function pathOf(template: string, given: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const segment = String(given[name] ?? '');
    if (/^\.{0,2}$/.test(segment)) throw new TypeError(`the parameter ${name} must not be '${segment}'`);
    return encodeURIComponent(wellFormed(name, segment));
  });
}

function searchOf(names: readonly string[], given: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const name of names) {
    const value = given[name];
    if (value !== undefined) for (const one of [value].flat()) search.append(name, wellFormed(name, String(one)));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

/** @throws TypeError for half of a surrogate pair. It has no UTF-8 form, so a query would silently replace it. */
function wellFormed(name: string, text: string): string {
  if (!text.isWellFormed()) throw new TypeError(`the parameter ${name} contains half of a surrogate pair`);
  return text;
}

/** Returns the parsed body of a JSON answer, undefined if there is no content type, otherwise a Blob. */
async function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (type === '') return undefined;
  return type.startsWith('application/json') ? response.json() : response.blob();
}
