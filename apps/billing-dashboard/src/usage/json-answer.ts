import type { HttpBody } from '@platform/proto/google/api/httpbody';

/** A piece is at most so long: messages are bounded. */
const pieceBytes = 1024 * 1024;

/** Answers free-form JSON of any size, as a stream. */
export async function* jsonAnswer(answer: Promise<object>): AsyncGenerator<HttpBody, void, undefined> {
  const text = Buffer.from(JSON.stringify(await answer));
  for (let start = 0; start < text.length; start += pieceBytes) {
    const data = text.subarray(start, start + pieceBytes);
    yield { contentType: start === 0 ? 'application/json' : '', data, extensions: [] };
  }
}
