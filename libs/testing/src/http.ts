import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { held } from './harness.ts';
import { httpAnswer, type HeaderLine, type HttpAnswer } from './http-answer.ts';
import { readAnswers } from './http-wire.ts';

/** Headers by name (several values become several lines), or line by line exactly as they are sent. */
type RequestHeaders = Readonly<Record<string, string | readonly string[]>> | readonly HeaderLine[];

export interface HttpRequest {
  readonly headers?: RequestHeaders;
  /** Body that is sent as JSON with `content-type: application/json`, unless `headers` has another type. */
  readonly json?: unknown;
  /** Body that is sent unchanged, without adding a content type. */
  readonly body?: string | Uint8Array;
  /** Time limit of the whole exchange in milliseconds; default 15,000. */
  readonly within?: number;
}

interface ExchangeOptions {
  /** Number of answers to wait for; default 1. If the server ends the connection first, fewer are returned. */
  readonly answers?: number;
  /** Whether to close the sending side after the bytes; default false. */
  readonly end?: boolean;
  /** Time limit of the whole exchange in milliseconds; default 15,000. */
  readonly within?: number;
}

/** An HTTP/1.1 client: sends a request exactly as given, returns the complete answer, and follows no redirects. */
export interface HttpClient extends AsyncDisposable {
  readonly baseUrl: string;
  /** Sends `path` unchanged in the request line: it is neither encoded nor normalized. */
  send(method: string, path: string, request?: HttpRequest): Promise<HttpAnswer>;
  get(path: string, request?: HttpRequest): Promise<HttpAnswer>;
  post(path: string, request?: HttpRequest): Promise<HttpAnswer>;
  put(path: string, request?: HttpRequest): Promise<HttpAnswer>;
  patch(path: string, request?: HttpRequest): Promise<HttpAnswer>;
  delete(path: string, request?: HttpRequest): Promise<HttpAnswer>;
  /** The same client with additional headers, which precede the headers of each request. */
  with(headers: RequestHeaders): HttpClient;
  /** Sends raw bytes over a new connection, for requests that an HTTP client cannot send. */
  exchange(bytes: string | Uint8Array, options?: ExchangeOptions): Promise<HttpAnswer[]>;
}

const defaultWithin = 15_000;

/** Checks every answer. If the observer throws an error, the client's call throws this error. */
type AnswerObserver = (method: string, path: string, answer: HttpAnswer) => void;

/**
 * A client for a server's HTTP address, over persistent connections.
 * @param baseUrl `http://host:port`, without a path.
 * @param observe receives every answer except those of `exchange`.
 */
export function http(baseUrl: string, observe: AnswerObserver = () => undefined): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return held(client(new URL(baseUrl), agent, [], observe));
}

function client(base: URL, agent: Agent, always: readonly HeaderLine[], observe: AnswerObserver): HttpClient {
  async function send(method: string, path: string, what: HttpRequest = {}): Promise<HttpAnswer> {
    const { payload, headers } = content(method, what);
    const lines = [...always, ...headerLines(what.headers ?? {}), ...headers];
    const host = lines.some(([name]) => name.toLowerCase() === 'host') ? [] : ['Host', base.host];
    const call = request({
      agent, host: base.hostname, port: base.port, method, path, setHost: false,
      // A flat list is sent line by line, unchanged.
      headers: [...host, ...lines.flat()],
      signal: AbortSignal.timeout(what.within ?? defaultWithin),
    });
    const answer = await new Promise<HttpAnswer>((resolve, reject) => {
      call.once('error', reject);
      call.once('response', (response) => {
        const raw = response.rawHeaders;
        const pairs = raw.flatMap((name, at): HeaderLine[] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
        buffer(response).then((body) => resolve(httpAnswer(response.statusCode ?? 0, pairs, body)), reject);
      });
      call.end(payload);
    });
    observe(method, path, answer);
    return answer;
  }

  return {
    baseUrl: base.origin, send,
    get: (path, what) => send('GET', path, what),
    post: (path, what) => send('POST', path, what),
    put: (path, what) => send('PUT', path, what),
    patch: (path, what) => send('PATCH', path, what),
    delete: (path, what) => send('DELETE', path, what),
    with: (headers) => client(base, agent, [...always, ...headerLines(headers)], observe),
    exchange: (bytes, options) => exchange(base, bytes, options),
    [Symbol.asyncDispose]: async () => agent.destroy(),
  };
}

function content(
  method: string, { json, body, headers = {} }: HttpRequest,
): { payload: string | Uint8Array | undefined; headers: HeaderLine[] } {
  const given = new Set(headerLines(headers).map(([name]) => name.toLowerCase()));
  const payload = json === undefined ? body : JSON.stringify(json);
  const added: HeaderLine[] = [];
  if (json !== undefined && !given.has('content-type')) added.push(['Content-Type', 'application/json']);
  const framed = given.has('content-length') || given.has('transfer-encoding');
  if (!framed && (payload !== undefined || !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method))) {
    added.push(['Content-Length', String(Buffer.byteLength(payload ?? ''))]);
  }
  return { payload, headers: added };
}

function headerLines(headers: RequestHeaders): HeaderLine[] {
  if (isLines(headers)) return [...headers];
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one): HeaderLine => [name, one]));
}

function isLines(headers: RequestHeaders): headers is readonly HeaderLine[] {
  return Array.isArray(headers);
}

function exchange(
  base: URL, bytes: string | Uint8Array,
  { answers: wanted = 1, end = false, within = defaultWithin }: ExchangeOptions = {},
): Promise<HttpAnswer[]> {
  const methods = Buffer.from(bytes).toString('latin1').match(/^[A-Z]+(?= )/) ?? [];
  return new Promise((resolve, reject) => {
    let sent = Buffer.alloc(0);
    const socket = connect(Number(base.port), base.hostname);
    const timer = setTimeout(() => {
      const heard = JSON.stringify(sent.toString('latin1'));
      socket.destroy(new Error(`the server did not answer within ${within} ms; it sent ${heard}`));
    }, within);
    socket.once('error', reject);
    socket.once('close', () => clearTimeout(timer));
    socket.on('data', (chunk) => {
      sent = Buffer.concat([sent, chunk]);
      const answers = readAnswers(sent, false, methods);
      if (answers.length >= wanted) {
        resolve(answers);
        socket.destroy();
      }
    });
    socket.once('end', () => {
      resolve(readAnswers(sent, true, methods));
      socket.destroy();
    });
    socket.write(bytes);
    if (end) socket.end();
  });
}
