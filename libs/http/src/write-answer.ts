import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';
import { securityHeaders } from './security-headers.ts';

/** What comes behind a last answer is read away this long, in milliseconds, so that the caller gets to read it. */
export const lingerMs = 2_000;
const lingerBytes = 16 * 1024 * 1024;

export interface WriteOptions {
  readonly requestId: string;
  /** This is the connection's last answer. */
  readonly close: boolean;
}

/** Writes an answer with the headers that every one has (open-points 1.7). Does nothing when the caller is gone. */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  options: WriteOptions,
): void {
  if (response.writableEnded || response.destroyed) return;
  const headers = ['X-Request-Id', options.requestId];
  for (const [name, value] of securityHeaders(request.socket, answer.headers)) headers.push(name, value);
  for (const [name, value] of answer.headers) headers.push(name, value);
  // 204 and 304 have no body and so no length (RFC 9110 §8.6).
  if (answer.status !== 204 && answer.status !== 304)
    headers.push('Content-Length', String(Buffer.byteLength(answer.body)));
  if (options.close) headers.push('Connection', 'close');
  response.writeHead(answer.status, headers);
  const body = request.method === 'HEAD' ? '' : answer.body;
  if (options.close && !request.complete) endAfterReading(request, response, body);
  else response.end(body);
}

/**
 * Sends the answer, but keeps the connection until the caller has stopped sending: closing it before would make his
 * system throw the answer away.
 */
function endAfterReading(request: IncomingMessage, response: ServerResponse, body: string | Buffer): void {
  let read = 0;
  const end = () => {
    clearTimeout(timer);
    request.off('data', count).off('end', end).off('close', end);
    response.end();
  };
  const count = (chunk: Buffer) => {
    read += chunk.length;
    if (read > lingerBytes) end();
  };
  const timer = setTimeout(end, lingerMs);
  request.on('data', count).on('end', end).on('close', end);
  if (body.length > 0) response.write(body);
  else response.flushHeaders();
  request.resume();
}
