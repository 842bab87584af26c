import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Fault } from '@platform/faults';
import { type Logger, requestIdOf, seldom } from '@platform/service';
import type { WatchedTls } from '@platform/tls';
import type { WholeAnswer } from './answer.ts';
import type { Limits } from './limits.ts';
import { securityHeaders } from './security-headers.ts';
import { SerialRequests } from './serial-requests.ts';
import { lingerMs } from './write-answer.ts';

/** The error of the event `clientError` of Node's server. */
interface ParserError extends Error {
  code?: string;
  bytesParsed?: number;
  rawPacket?: Buffer;
}

/** A request that the server itself refuses: before the handler gets the request, or while the body arrives. */
export interface Unread {
  readonly requestId: string;
  readonly peer: string;
  readonly method?: string | undefined;
  readonly target?: string | undefined;
  /** Why the request is refused; undefined if its method is CONNECT or is not known to Node. */
  readonly fault?: Fault | undefined;
}

interface HttpServerOptions {
  readonly limits: Limits;
  readonly refuse: (unread: Unread) => WholeAnswer;
  /** The certificate for HTTPS; plain HTTP if undefined. */
  readonly tls?: WatchedTls | undefined;
  readonly log: Logger;
}

/**
 * Creates an HTTP/1.1 server with the limits of open-points 1.9. By default, Node answers some invalid requests without
 * a body. This server answers these requests with an error body.
 */
export function createHttpServer(serve: RequestListener, options: HttpServerOptions): Server {
  const { limits, tls, log } = options;
  const said = seldom();
  const requests = new SerialRequests(() => {
    const leftOut = said('cut');
    if (leftOut !== undefined) log.warn({ cut: leftOut + 1 }, 'clients pipeline too many bytes: closing connections');
  });
  const refuse = (socket: Duplex, wrong: Wrong): void =>
    requests.afterAll(socket, () => end(socket, wrong, requests, options));
  const listener = requests.oneByOne((request, response) => {
    if (request.headers['transfer-encoding'] !== undefined) boundChunks(request, refuse);
    serve(request, response);
  });
  const nodes: ServerOptions = {
    // Node counts the target together with the headers. Below this size, `headFault` checks each against its own limit.
    maxHeaderSize: limits.url + limits.headers + 16 * 1024,
    headersTimeout: limits.requestMs,
    // No limit here: the code that reads the body, such as `passBody`, limits the time.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(5_000, limits.requestMs),
    keepAliveTimeout: 65_000,
    noDelay: true,
    requireHostHeader: false,
  };
  const server = tls ? encrypted(nodes, tls, log, listener) : createServer(nodes, listener);
  // Set no maximum number of headers. Above a maximum, Node silently drops headers. `headFault` limits their bytes.
  server.maxHeadersCount = 0;
  server.timeout = silentMs;
  requests.watch(server, tls ? 'secureConnection' : 'connection');
  server.on('checkExpectation', listener);
  server.on('checkContinue', listener);
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    // The client is gone, or TLS failed. In both cases, the client cannot read an answer.
    if (/^(?:ECONNRESET$|ERR_SSL_|ERR_TLS_)/.test(error.code ?? '')) socket.destroy();
    else refuse(socket, whatIsWrong(error));
  });
  server.on('connect', ({ method, url: target, headers }, socket: Duplex) => {
    // Node no longer handles errors of this socket.
    socket.on('error', () => undefined);
    refuse(socket, { method, target, ownId: headers['x-request-id'] });
  });
  return server;
}

/** Creates an HTTPS server. After a change of the certificate, new connections use the new certificate. */
function encrypted(options: ServerOptions, tls: WatchedTls, log: Logger, listener: RequestListener): Server {
  const context = () => ({ cert: tls.current.certificate, key: tls.current.key, minVersion: 'TLSv1.2' as const });
  const server = createTlsServer({ ...options, ...context(), handshakeTimeout: 10_000 }, listener);
  tls.onChange(() => server.setSecureContext(context()));
  server.on('tlsClientError', ({ code, message }: NodeJS.ErrnoException, { remoteAddress }) => {
    // Do not log a client that opens a connection and closes it at once, such as a probe.
    if (code !== 'ECONNRESET') log.info({ peer: remoteAddress, why: code ?? message }, 'a TLS handshake failed');
  });
  return server;
}

/**
 * Chunks with fewer bytes are small. Their number is limited, because parsing a chunk of 1 byte takes about as long as
 * parsing a chunk of 1,000 bytes (ADR 0113).
 */
const smallChunk = 1_024;
const mostSmallChunks = 4_000;
const tooManyChunks = `at most ${mostSmallChunks} chunks of a body may be smaller than ${smallChunk} bytes`;

function boundChunks(request: IncomingMessage, refuse: (socket: Socket, wrong: Wrong) => void): void {
  let count = 0;
  const push = request.push.bind(request);
  request.push = (chunk, encoding) => {
    if (chunk !== null && (chunk as Buffer).length < smallChunk) {
      count += 1;
      if (count === mostSmallChunks + 1) refuse(request.socket, { fault: new Fault('BODY_TOO_LARGE', tooManyChunks) });
    }
    return push(chunk, encoding);
  };
}

const answered = new WeakSet<Duplex>();
/**
 * Time after which a connection without traffic is closed, in milliseconds. Between two requests, the limit is
 * `keepAliveTimeout` instead.
 */
const silentMs = 120_000;

/** `ownId`: the request id that the client sent. */
type Wrong = Pick<Unread, 'method' | 'target' | 'fault'> & { readonly ownId?: string | string[] | undefined };

/** Sends the last answer of a connection directly to the socket, without a response object of Node. */
function end(
  socket: Duplex, { ownId, ...wrong }: Wrong, requests: SerialRequests, { refuse }: HttpServerOptions,
): void {
  if (!socket.writable || answered.has(socket) || requests.isAnswering(socket)) return void socket.destroy();
  answered.add(socket);
  const requestId = requestIdOf(ownId);
  const { status, headers, body } = refuse({ ...wrong, requestId, peer: (socket as Socket).remoteAddress ?? '' });
  const lines = [
    `HTTP/1.1 ${status} ${statusTexts[status] ?? 'Refused'}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
    `X-Request-Id: ${requestId}`,
    ...securityHeaders(socket, headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body.toString()}`);
  // Continue to read. Closing a connection with unread bytes resets the connection, and the answer may then be lost.
  socket.resume();
  const enough = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(enough));
}

const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};

function whatIsWrong(error: ParserError): Wrong {
  const target = error.code === 'HPE_INVALID_METHOD' ? targetOf(error) : undefined;
  return target === undefined ? { fault: faultOf(error) } : { target };
}

/**
 * Returns the target of a request with a method that the parser does not know. Returns undefined if the line at which
 * the parser stopped is not a request line.
 */
function targetOf({ rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  const packet = rawPacket?.toString('latin1') ?? '';
  const line = packet.slice(packet.lastIndexOf('\n', bytesParsed - 1) + 1);
  return /^[!#$%&'*+.^`|~\w-]+ (\S+) HTTP\/1\.[01]\r?\n/.exec(line)?.[1];
}

function faultOf({ code, rawPacket, bytesParsed = 0 }: ParserError): Fault {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      // If no line has ended so far, the parser was still reading the request line.
      return rawPacket &&
        !rawPacket.subarray(0, bytesParsed).includes('\n') &&
        /^[A-Z]+ /.test(rawPacket.toString('latin1', 0, 16))
        ? uriTooLong()
        : headersTooLarge();
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Fault('BODY_TOO_LARGE', 'the extensions of the chunks are too long');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Fault('REQUEST_TIMEOUT', 'the request did not arrive in time');
    default:
      return new Fault('INVALID_PARAMETER', 'the request is not valid HTTP/1.1');
  }
}

export function uriTooLong(): Fault {
  return new Fault('URI_TOO_LONG', 'the URL is too long');
}

export function headersTooLarge(): Fault {
  return new Fault('HEADERS_TOO_LARGE', 'the headers are too large');
}
