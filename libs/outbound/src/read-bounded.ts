import type { Readable } from 'node:stream';
import { DeadlineExceeded } from '@platform/service';
import { AddressRefused, AnswerTooLarge, Unreachable } from './errors.ts';

/** Reads a body to its end. @throws AnswerTooLarge above `mostBytes`, DeadlineExceeded, Unreachable */
export async function readBounded(body: Readable, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > mostBytes) throw new AnswerTooLarge(mostBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AnswerTooLarge || isOurs(error)) throw error;
    throw new Unreachable('the answer was cut off', { cause: error });
  }
  return Buffer.concat(chunks);
}

export function isOurs(error: unknown): boolean {
  return error instanceof AddressRefused || error instanceof Unreachable || error instanceof DeadlineExceeded;
}
