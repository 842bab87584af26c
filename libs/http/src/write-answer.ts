import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { type Answer, type AnswerStream, isStream } from './answer.ts';
import { securityHeaders } from './security-headers.ts';

/** Maximum time to read the rest of a request after its answer was written, in milliseconds. */
export const lingerMs = 2_000;
const lingerBytes = 16 * 1024 * 1024;

export interface WriteOptions {
  readonly requestId: string;
  readonly close: boolean;
}

/**
 * Writes an answer with the headers that every answer has (open-points 1.7). Writes nothing if the client has gone.
 * @throws Error if HTTP does not permit a header, if a streamed body fails, or if the length of a streamed body differs
 *   from Content-Length. In the last two cases, the connection is cut.
 */
export async function writeAnswer(
  request: IncomingMessage, response: ServerResponse, answer: Answer, options: WriteOptions,
): Promise<void> {
  const streamed = isStream(answer.body) ? answer.body : undefined;
  if (response.writableEnded || response.destroyed) return void (await streamed?.end());
  const headers = ['X-Request-Id', options.requestId];
  for (const [name, value] of securityHeaders(request.socket, answer.headers)) headers.push(name, value);
  for (const [name, value] of answer.headers) headers.push(name, value);
  // A 204 must not have Content-Length. In a 304, it would mean the length of the answer with 200 (RFC 9110 §8.6).
  if (!isStream(answer.body) && answer.status !== 204 && answer.status !== 304)
    headers.push('Content-Length', String(Buffer.byteLength(answer.body)));
  if (options.close) headers.push('Connection', 'close');
  response.writeHead(answer.status, headers);
  if (streamed) await (request.method === 'HEAD' ? streamed.end() : writeStream(response, streamed, lengthOf(answer)));
  const body = isStream(answer.body) || request.method === 'HEAD' ? '' : answer.body;
  if (options.close && !request.complete) endAfterReading(request, response, body);
  else response.end(body);
}

/**
 * Writes a body as fast as the client reads. Cuts the connection if the body fails, or if the length of the body
 * differs from the announced length.
 */
async function writeStream(response: ServerResponse, body: AnswerStream, announced: number | undefined): Promise<void> {
  if (body.readable !== undefined) return passOn(response, body.readable, announced);
  let written = 0;
  try {
    for await (const bytes of body) {
      if (bytes.length === 0) continue;
      written += bytes.length;
      if (announced !== undefined && written > announced) break;
      if (!response.write(bytes) && !response.destroyed) await drained(response);
      if (response.destroyed) return;
    }
    if (announced !== undefined && written !== announced) throw wrongLength(announced);
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    await body.end();
  }
}

/** Like {@link writeStream}, for a stream of Node. */
function passOn(response: ServerResponse, source: Readable, announced: number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let written = 0;
    const fail = (error: Error) => {
      source.destroy();
      response.destroy();
      reject(error);
    };
    source.on('data', (bytes: Buffer) => {
      written += bytes.length;
      if (announced !== undefined && written > announced) return fail(wrongLength(announced));
      if (!response.write(bytes)) {
        source.pause();
        response.once('drain', () => source.resume());
      }
    });
    source.once('end', () => {
      if (announced === undefined || written === announced) resolve();
      else fail(wrongLength(announced));
    });
    source.once('error', fail);
    // Some sources close without an error when their connection is lost.
    source.once('close', () => {
      if (!source.readableEnded) fail(new Error('a streamed body was cut'));
    });
    response.once('close', () => {
      source.destroy();
      resolve();
    });
    if (source.destroyed) fail(new Error('a streamed body was cut'));
  });
}

function wrongLength(announced: number): Error {
  return new Error(`a streamed body does not have the announced ${announced} bytes`);
}

/** Returns Content-Length. Returns undefined if the header is missing, or if answers of this status have no body. */
function lengthOf({ status, headers }: Answer): number | undefined {
  if (status === 204 || status === 304) return undefined;
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length');
  return length && Number(length[1]);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

/**
 * Writes the body, reads the rest of the request, and then ends the answer. Stops reading after `lingerMs`, or after
 * more than `lingerBytes`. If the connection closed while the client still sends, the client's system could discard the
 * answer.
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
