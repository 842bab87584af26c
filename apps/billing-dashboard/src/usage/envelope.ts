import { setImmediate } from 'node:timers/promises';
import type { HttpBody } from '@platform/proto/google/api/httpbody';
import type { Account } from '@platform/rpc';
import type { Unit } from './figures.ts';
import { isFinal, type Month, rfc3339 } from './month.ts';
import type { ViewRequest, ViewType } from './view-request.ts';

/** Returns the first fields of a month view (open-points 7.2). */
export function envelope(
  { product, view, viewType, unit }: { product: string; view: string; viewType?: ViewType; unit: Unit },
  { month: { year, month, from, to }, filters = {} }: { month: Month; filters?: ViewRequest['filters'] },
  { id, name }: Pick<Account, 'id' | 'name'>,
) {
  return {
    product, view, ...(viewType === undefined ? {} : { viewType }),
    period: { year, month, start: rfc3339(from), end: rfc3339(to) },
    owner: { id, name }, filters, units: unit.names,
  };
}

/** Returns the last fields of a month view. @param until when the view is generated, in microseconds since 1970 */
export function closing(month: Month, until: number) {
  return { generatedAt: rfc3339(until), final: isFinal(month, until) };
}

/** Maximum size of the data in one message, in bytes. gRPC limits the size of messages. */
const mostBytes = 1024 * 1024;
/** Approximate length of the pieces of a text, in characters. Between two pieces, the process serves other requests. */
const pieceLength = 128 * 1024;

export async function* jsonAnswer(answer: Promise<object>): AsyncGenerator<HttpBody, void, undefined> {
  yield* jsonPieces(jsonTexts(await answer));
}

export async function* jsonPieces(
  texts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<HttpBody, void, undefined> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield* messagesOf(piece);
    piece = '';
    await setImmediate();
  }
  yield* messagesOf(piece);
}

function* messagesOf(text: string): Generator<HttpBody, void, undefined> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += mostBytes) {
    yield { contentType: 'application/json', data: bytes.subarray(start, start + mostBytes), extensions: [] };
  }
}

/**
 * Yields the JSON of an object in pieces. A field whose value is an iterator becomes an array. The iterator yields
 * JSON texts, and is read while the pieces are sent.
 */
function* jsonTexts(answer: object): Generator<string, void, undefined> {
  let before = '{';
  for (const [name, value] of Object.entries(answer)) {
    yield `${before}${JSON.stringify(name)}:`;
    if (value instanceof Iterator) yield* jsonTextsOfItems(value as Iterable<string>);
    else yield JSON.stringify(value);
    before = ',';
  }
  yield before === ',' ? '}' : '{}';
}

function* jsonTextsOfItems(items: Iterable<string>): Generator<string, void, undefined> {
  let some = '[';
  let isFirst = true;
  for (const item of items) {
    some += isFirst ? item : `,${item}`;
    isFirst = false;
    if (some.length < pieceLength) continue;
    yield some;
    some = '';
  }
  yield `${some}]`;
}
