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
  const text = Buffer.from(JSON.stringify(await answer));
  for (let start = 0; start < text.length; start += pieceBytes) {
    const data = text.subarray(start, start + pieceBytes);
    yield { contentType: start === 0 ? 'application/json' : '', data, extensions: [] };
  }
}
