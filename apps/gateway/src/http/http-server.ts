import { createServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { Fault } from '@platform/rpc';
import type { Limits } from '../limits/limits.ts';
import { errorAnswer } from './error-answer.ts';

/** What the parser of Node says of bytes it cannot take for a request. */
interface ParserError extends Error {
  code?: string;
  bytesParsed?: number;
  rawPacket?: Buffer;
}

/**
 * An HTTP/1.1 server within the limits of open-points 1.9. What Node itself would refuse with a bare status line is
 * answered with the error body of every other refusal.
 */
export function createHttpServer(listener: RequestListener, limits: Limits, baseUrl: () => string): Server {
  const server = createServer(
    {
      // Node counts the target with the headers; what exceeds one of the two limits below this is ours to tell apart.
      maxHeaderSize: limits.url + limits.headers + 16 * 1024,
      headersTimeout: limits.requestMs,
      // The body has a limit of its own, in readBody.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(5_000, limits.requestMs),
      keepAliveTimeout: 65_000,
      noDelay: true,
      requireHostHeader: false,
    },
    listener,
  );
  // Headers past a number would be dropped silently, a second Authorization among them; their size is bounded anyway.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', listener);
  server.on('clientError', (error: ParserError, socket: Duplex) => refuse(error, socket, baseUrl()));
  server.on('connect', (_request, socket: Duplex) => {
    refuse(Object.assign(new Error('CONNECT'), { code: 'CONNECT' }), socket, baseUrl());
  });
  return server;
}

const answered = new WeakSet<Duplex>();

function refuse(error: ParserError, socket: Duplex, baseUrl: string): void {
  const current = (socket as Duplex & { _httpMessage?: { headersSent: boolean } | null })._httpMessage;
  // Nobody reads any more, or an answer is under way that another one must not be mixed into.
  if (error.code === 'ECONNRESET' || !socket.writable || answered.has(socket) || current?.headersSent) {
    socket.destroy();
    return;
  }
  answered.add(socket);
  const requestId = randomUUID();
  const { status, headers, body } = errorAnswer(faultOf(error), { requestId, baseUrl });
  const lines = [
    `HTTP/1.1 ${status} ${statusTexts[status] ?? 'Refused'}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Referrer-Policy: no-referrer',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body.toString()}`, () => socket.destroy());
}

const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};

function faultOf({ code, rawPacket, bytesParsed = 0 }: ParserError): Fault {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      // Without the end of a line so far, it was still the request line that did not end.
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
      return new Fault('INVALID_PARAMETER', 'this is no HTTP/1.1 request');
  }
}

export function uriTooLong(): Fault {
  return new Fault('URI_TOO_LONG', 'the URL is too long');
}

export function headersTooLarge(): Fault {
  return new Fault('HEADERS_TOO_LARGE', 'the headers are too large');
}
