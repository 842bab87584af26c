import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CallersMemory, Fault, unavailable } from '@platform/rpc';

export interface ReadBodyOptions {
  /** Most bytes taken. */
  readonly most: number;
  /** Milliseconds until all must be there. */
  readonly withinMs: number;
  readonly memory: CallersMemory;
  /** Where the request comes from, as limits count it. */
  readonly source: string;
}

export interface ArrivedBody {
  readonly bytes: Buffer;
  /** Bytes counted in memory, to be given back. */
  readonly held: number;
}

const none = Buffer.alloc(0);

/** The caller went away before his request was complete: there is nobody to answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/**
 * Reads the body of a request. A fault when it is too large (413), too slow (408), or when too many others are in
 * memory (503): reading then stops at once. The bytes stay counted until they are given back.
 * @throws CallerGone
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { most, withinMs, memory, source }: ReadBodyOptions,
): Promise<ArrivedBody | Fault> {
  const tooLarge = () => new Fault('BODY_TOO_LARGE', `a body may have up to ${most} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > most) return Promise.resolve(tooLarge());
  // Whoever asked first (Expect: 100-continue) now learns that the body is wanted.
  if (/^100-continue$/i.test(request.headers.expect ?? '') && request.httpVersion === '1.1') response.writeContinue();
  return new Promise((resolve, reject) => {
    // One buffer that doubles: many small parts would take a hundred times what they count.
    let bytes: Buffer = none;
    let [length, held] = [0, 0];
    const stop = () => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('close', gone).off('error', gone);
    };
    const refuse = (fault: Fault) => {
      stop();
      memory.give(held, source);
      request.pause();
      resolve(fault);
    };
    const timer = setTimeout(() => refuse(new Fault('REQUEST_TIMEOUT', 'the body did not arrive in time')), withinMs);
    const take = (chunk: Buffer) => {
      if (length + chunk.length > most) return refuse(tooLarge());
      const wanted = length + chunk.length;
      if (wanted > bytes.length) {
        const size = Math.min(most, length === 0 ? wanted : Math.max(wanted, 2 * length));
        if (!memory.take(size - held, source)) return refuse(unavailable('memory for the body'));
        held = size;
        if (length > 0) bytes = Buffer.concat([bytes.subarray(0, length)], size);
      }
      if (length === 0) bytes = chunk;
      else chunk.copy(bytes, length);
      length = wanted;
    };
    const end = () => {
      stop();
      resolve({ bytes: bytes.subarray(0, length), held });
    };
    const gone = () => {
      stop();
      memory.give(held, source);
      reject(new CallerGone());
    };
    request.on('data', take).on('end', end).on('close', gone).on('error', gone);
  });
}

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
