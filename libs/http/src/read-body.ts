import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault, unavailable } from '@platform/faults';
import type { CallersMemory } from '@platform/limits';
import { CallerGone } from './caller-gone.ts';

interface PassBodyOptions {
  /** Maximum bytes of the body. */
  readonly most: number;
  /** Maximum time for the whole body, in milliseconds. */
  readonly withinMs: number;
  /** Aborts when the rest of the body is not needed. Reading then stops. */
  readonly enough?: AbortSignal;
}

interface ReadBodyOptions extends PassBodyOptions {
  readonly memory: CallersMemory;
  /** The source of the request, as `sourceOf` returns it. */
  readonly source: string;
}

const none = Buffer.alloc(0);

/**
 * Passes the body of a request to `take`, piece by piece. If `take` returns a promise, the next piece waits until
 * the promise resolves. Returns a fault if the body is too large (413) or too slow (408), or if `take` returns a fault.
 * After a fault, no more bytes are read. Otherwise, returns undefined.
 * @throws CallerGone
 */
export function passBody(
  request: IncomingMessage, response: ServerResponse, { most, withinMs, enough }: PassBodyOptions,
  take: (bytes: Buffer) => Promise<void> | Fault | undefined,
): Promise<Fault | undefined> {
  const tooLarge = () => new Fault('BODY_TOO_LARGE', `a body may have up to ${most} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > most) return Promise.resolve(tooLarge());
  askForBody(request, response);
  return new Promise((resolve, reject) => {
    let length = 0;
    let stopped = false;
    const stop = (settle: () => void) => {
      stopped = true;
      clearTimeout(timer);
      enough?.removeEventListener('abort', leave);
      request.off('data', pass).off('end', end).off('close', gone).off('error', gone);
      settle();
    };
    const end = () => stop(() => resolve(undefined));
    const refuse = (fault: Fault | undefined) => stop(() => {
      request.pause();
      resolve(fault);
    });
    const leave = () => refuse(undefined);
    const gone = () => stop(() => reject(new CallerGone()));
    const pass = (bytes: Buffer) => {
      length += bytes.length;
      if (length > most) return refuse(tooLarge());
      const taken = take(bytes);
      if (taken === undefined) return undefined;
      if (taken instanceof Fault) return refuse(taken);
      request.pause();
      void taken.then(() => (stopped ? undefined : request.resume()));
      return undefined;
    };
    const timer = setTimeout(() => refuse(new Fault('REQUEST_TIMEOUT', 'the body did not arrive in time')), withinMs);
    enough?.addEventListener('abort', leave, { once: true });
    request.on('data', pass).on('end', end).on('close', gone).on('error', gone);
  });
}

/**
 * Reads the body of a request into memory. Returns a fault if the body is too large (413) or too slow (408), or if the
 * memory for bodies is full (503). The caller must release the `held` bytes (`memory.give`).
 * @throws CallerGone
 */
export async function readBody(
  request: IncomingMessage, response: ServerResponse, { memory, source, ...limits }: ReadBodyOptions,
): Promise<{ readonly bytes: Buffer; readonly held: number } | Fault> {
  // Use one buffer that doubles its size, because many small buffers would take much more memory than their bytes.
  let bytes: Buffer = none;
  let [length, held] = [0, 0];
  const take = (chunk: Buffer): Fault | undefined => {
    const wanted = length + chunk.length;
    if (wanted > bytes.length) {
      const size = Math.min(limits.most, length === 0 ? wanted : Math.max(wanted, 2 * length));
      if (!memory.take(size - held, source)) return unavailable('memory for the body');
      held = size;
      if (length > 0) bytes = Buffer.concat([bytes.subarray(0, length)], size);
    }
    if (length === 0) bytes = chunk;
    else chunk.copy(bytes, length);
    length = wanted;
    return undefined;
  };
  let fault: Fault | undefined;
  let isRead = false;
  try {
    fault = await passBody(request, response, limits, take);
    isRead = fault === undefined;
  } finally {
    if (!isRead) memory.give(held, source);
  }
  return fault ?? { bytes: bytes.subarray(0, length), held };
}

/** Tells the client to send the body, if an HTTP/1.1 request has the header `Expect: 100-continue`. */
export function askForBody({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (/^100-continue$/i.test(headers.expect ?? '') && httpVersion === '1.1') response.writeContinue();
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

export function isArriving(request: IncomingMessage): boolean {
  return hasBody(request) && !request.complete;
}
