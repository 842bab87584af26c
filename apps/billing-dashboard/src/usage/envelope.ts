import type { HttpBody } from '@platform/proto/google/api/httpbody';
import type { Account } from '@platform/rpc';
import type { Unit } from './figures.ts';
import { isFinal, type Month, rfc3339 } from './month.ts';
import type { ViewRequest, ViewType } from './view-request.ts';

/** What every view of a month begins and ends with (open-points 7.2). */
export function envelope(
  { product, view, viewType, unit }: { product: string; view: string; viewType?: ViewType; unit: Unit },
  { month, filters }: Pick<ViewRequest, 'month' | 'filters'>,
  { id, name }: Pick<Account, 'id' | 'name'>,
) {
  return {
    product,
    view,
    ...(viewType === undefined ? {} : { viewType }),
    period: periodOf(month),
    owner: { id, name },
    filters,
    units: unit.names,
  };
}

function periodOf({ year, month, from, to }: Month) {
  return { year, month, start: rfc3339(from), end: rfc3339(to) };
}

/** What every view of a month ends with. @param until microseconds since 1970, whole seconds */
export function closing(month: Month, until: number) {
  return { generatedAt: rfc3339(until), final: isFinal(month, until) };
}

/** A piece is at most so long: messages are bounded. */
const pieceBytes = 1024 * 1024;

/** Answers free-form JSON of any size, as a stream. */
export async function* jsonAnswer(answer: Promise<object>): AsyncGenerator<HttpBody, void, undefined> {
  yield* jsonPieces([JSON.stringify(await answer)]);
}

/** Answers JSON in the pieces that it is made in. */
export async function* jsonPieces(
  texts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<HttpBody, void, undefined> {
  for await (const text of texts) {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      const data = bytes.subarray(start, start + pieceBytes);
      yield { contentType: 'application/json', data, extensions: [] };
    }
  }
}
