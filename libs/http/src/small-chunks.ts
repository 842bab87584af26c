import type { IncomingMessage } from 'node:http';
import { Fault } from '@platform/faults';

/**
 * Chunks with fewer bytes are small. Their number is limited, because parsing a chunk of 1 byte takes about as long as
 * parsing a chunk of 1,000 bytes (ADR 0113).
 */
const smallChunk = 1_024;
const mostSmallChunks = 4_000;

/** Returns a function that takes each chunk of a body. It returns a fault if the body has too many small chunks. */
export function countChunks({ headers }: IncomingMessage): (chunk: Buffer) => Fault | undefined {
  let count = headers['transfer-encoding'] === undefined ? -Infinity : 0;
  return ({ length }) => {
    if (length < smallChunk) count += 1;
    if (count <= mostSmallChunks) return undefined;
    const message = `at most ${mostSmallChunks} chunks of a body may be smaller than ${smallChunk} bytes`;
    return new Fault('BODY_TOO_LARGE', message);
  };
}
