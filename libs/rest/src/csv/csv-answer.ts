import { type Answer, attachment, type AnswerStream } from '@platform/http';
import type { Place } from '../paging.ts';
import type { Message } from '../json/decode-message.ts';
import type { CsvRule } from './csv-rule.ts';

/** Time limit of a request for CSV, in milliseconds. */
export const csvTimeMs = 300_000;

type PlaceOf = ((response: Message) => Place) | undefined;

/**
 * Streams responses as one CSV document. Waits for the first response, so that a refusal gets its own
 * status and JSON body.
 * @param path path of the request, from which the file name is made
 * @param responses the parts of a list, or the pieces of a JSON object
 */
export async function csvAnswer(
  rule: CsvRule, path: string, placeOf: PlaceOf, responses: AsyncGenerator<Message, void, undefined>,
): Promise<Answer> {
  const first = await responses.next();
  const total = first.done === true ? undefined : placeOf?.(first.value).total;
  const reader = rule.openReader();
  const body: AnswerStream = {
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(rule.header + (first.done === true ? '' : reader.linesOf(first.value)));
      for await (const response of responses) yield Buffer.from(reader.linesOf(response));
      reader.end();
    },
    end: async () => void (await responses.return()),
  };
  const headers: Answer['headers'] = [
    ['Content-Type', 'text/csv; charset=utf-8; header=present'],
    ['Content-Disposition', attachment(filenameOf(path))],
    ['Vary', 'Accept'],
    ...(total === undefined ? [] : [['X-Total-Count', String(total)] as [string, string]]),
  ];
  return { status: 200, headers, body };
}

/** Yields the parts of a list in order, until a part has no `next`. Without `placeOf`, yields only the first part. */
export async function* partsOfList(
  message: Message, placeOf: PlaceOf, call: (message: Message, isFirst: boolean) => Promise<Message>,
): AsyncGenerator<Message, void, undefined> {
  let part = await call(message, true);
  yield part;
  for (let next = placeOf?.(part).next; next !== undefined; next = placeOf?.(part).next) {
    part = await call({ ...message, after: next }, false);
    yield part;
  }
}

/** Returns `orgs-acme-teams.csv` for `/api/v1/orgs/acme/teams`. */
function filenameOf(path: string): string {
  return `${path.split('/').filter((segment) => segment !== '').slice(2).join('-')}.csv`;
}
