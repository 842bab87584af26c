import type { IncomingMessage } from 'node:http';
import { Fault, unavailable } from '@platform/rpc';

/** Counts the bytes of bodies that are held in memory, over all requests. */
export class BodyMemory {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get held(): number {
    return this.#held;
  }

  /** Answers whether so many more bytes may be held; if so, they are counted until {@link give}n back. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#most) return false;
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}

export interface ReadBodyOptions {
  /** Most bytes taken. */
  readonly most: number;
  /** Milliseconds until all must be there. */
  readonly withinMs: number;
  readonly memory: BodyMemory;
}

/** The caller went away before his request was complete: there is nobody to answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/**
 * Reads the body of a request. A fault when it is too large (413), too slow (408), or when too many others are in
 * memory (503): reading then stops at once. The bytes stay counted until `memory.give(bytes.length)`.
 * @throws CallerGone
 */
export function readBody(
  request: IncomingMessage,
  { most, withinMs, memory }: ReadBodyOptions,
): Promise<Buffer | Fault> {
  const tooLarge = () => new Fault('BODY_TOO_LARGE', `a body may have up to ${most} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > most) return Promise.resolve(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = () => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('close', gone).off('error', gone);
    };
    const refuse = (fault: Fault) => {
      stop();
      memory.give(length);
      request.pause();
      resolve(fault);
    };
    const timer = setTimeout(() => refuse(new Fault('REQUEST_TIMEOUT', 'the body did not arrive in time')), withinMs);
    const take = (chunk: Buffer) => {
      if (length + chunk.length > most) return refuse(tooLarge());
      if (!memory.take(chunk.length)) return refuse(unavailable('memory for the body'));
      length += chunk.length;
      chunks.push(chunk);
    };
    const end = () => {
      stop();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    const gone = () => {
      stop();
      memory.give(length);
      reject(new CallerGone());
    };
    request.on('data', take).on('end', end).on('close', gone).on('error', gone);
  });
}

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
