import { type Operations, routes } from './generated/api.ts';
import { refusalOf } from './refusal.ts';

type Name = keyof Operations;
/** Members that need not be there when nothing must be in them. */
type Given<Key extends string, Value> = undefined extends Value
  ? { readonly [K in Key]?: Value }
  : Record<string, never> extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value };

/** What a call of an operation takes. */
export type Call<N extends Name> = Given<'parameters', Operations[N]['parameters']> &
  Given<'body', Operations[N]['body']> & {
    /** Ends the call early. */
    readonly signal?: AbortSignal;
  };

/** Left out where nothing must be given. */
type Optional<C> = Record<string, never> extends C ? [call?: C] : [call: C];

/**
 * Operations that read a list and return its total length. Operations that change something return lists without it.
 */
export type ListName = {
  [N in Name]: Operations[N] extends { answer: readonly unknown[]; body: undefined } ? N : never;
}[Name];

export interface ClientOptions {
  /** `https://platform.example.org`, without the path of the API. */
  readonly baseUrl: string;
  /** Sent with every call; without it calls are anonymous. */
  readonly token?: string;
  /** Longest time for a call, in milliseconds; 30,000 when left out. */
  readonly timeout?: number;
  /** Instead of the one of the platform it runs on. */
  readonly fetch?: typeof fetch;
}

export interface Client {
  /**
   * Calls an operation by its id in the OpenAPI document and answers the body of its success.
   * @throws ApiRefusal when the platform refuses
   * @throws TypeError when a parameter cannot be sent (half of a surrogate pair; empty, `.` or `..` in the path), or
   *   nothing answers
   * @throws DOMException `TimeoutError` when no answer came in time; when `signal` ends the call, the signal's reason
   * @throws SyntaxError when what answers as JSON is none
   */
  call<N extends Name>(name: N, ...call: Optional<Call<N>>): Promise<Operations[N]['answer']>;
  /**
   * Calls an operation that reads one object, and answers its revision (`ETag`) besides: a change that names it as
   * `If-Match` is refused with `precondition_failed` if the object is another one by then. Undefined where the platform
   * tells none. Throws as `call` does.
   */
  read<N extends Name>(
    name: N,
    ...call: Optional<Call<N>>
  ): Promise<{ value: Operations[N]['answer']; revision: string | undefined }>;
  /**
   * The URL of an operation that reads, including its parameters: for links and downloads.
   * @throws TypeError when a parameter cannot be sent
   */
  address<N extends Name>(name: N, parameters?: Operations[N]['parameters']): string;
  /**
   * One page of a list, or all of it without `page` and the length of a page, with the length of the whole.
   * @throws Error when something in between has taken that length (`X-Total-Count`) away; and as `call` does
   */
  list<N extends ListName>(
    name: N,
    ...call: Optional<Call<N>>
  ): Promise<{ items: Operations[N]['answer']; total: number }>;
  /**
   * All of a list, a page at a time: each item once that exists throughout; items created or deleted meanwhile may be
   * missing. Throws as `call` does.
   */
  walk<N extends ListName>(name: N, ...call: Optional<Call<N>>): AsyncGenerator<Operations[N]['answer'][number]>;
}

/** Any call, without its types. */
interface AnyCall {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

const defaultTimeout = 30_000;
/** The largest there is. */
const pageSize = 50;

/** A client of the platform's API. It keeps no state and repeats nothing. */
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
      let parameters: AnyCall['parameters'] | undefined = {
        ...(size === undefined ? {} : { [size]: pageSize }), ...call.parameters,
      };
      while (parameters) {
        const response = await exchange(name, { ...call, parameters });
        yield* (await bodyOf(response)) as never[];
        const next = nextOf(response);
        parameters = next && { ...parameters, ...next };
      }
    },
  };
}

/**
 * The parameter for the length of a page: `limit`, or `per_page` where `limit` says something else (a time, on the
 * dashboard). Undefined for what is no list in pages.
 */
export function pageSizeOf(name: Name): 'limit' | 'per_page' | undefined {
  const names: readonly string[] = routes[name].query;
  if (!names.includes('after') || !names.includes('page')) return undefined;
  return names.includes('per_page') ? 'per_page' : 'limit';
}

/** Parameters of the next page, from the header Link; undefined on the last. */
function nextOf({ headers }: Response): AnyCall['parameters'] | undefined {
  const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (next === undefined) return undefined;
  const { searchParams } = new URL(next);
  return { page: searchParams.get('page') ?? undefined, after: searchParams.get('after')! };
}

/**
 * The length of the whole list.
 * @throws Error if the answer does not have it
 */
function totalOf({ headers }: Response): number {
  const total = headers.get('x-total-count') ?? '';
  if (!/^\d+$/.test(total)) throw new Error(`the answer does not have the length of the list: X-Total-Count is '${total}'`);
  return Number(total);
}

/**
 * A URL cannot have a segment `.` or `..`: encoded or not, it leads to another path, and perhaps to another operation.
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

/** @throws TypeError for half of a surrogate pair, which has no UTF-8 form: a query would silently change it */
function wellFormed(name: string, text: string): string {
  if (!text.isWellFormed()) throw new TypeError(`the parameter ${name} holds half of a surrogate pair`);
  return text;
}

/** Returns JSON as its value, anything else as text, and an empty body as undefined. */
async function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (type === '') return undefined;
  return type.startsWith('application/json') ? response.json() : response.blob();
}
