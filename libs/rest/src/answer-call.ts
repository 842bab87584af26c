import type { IncomingHttpHeaders } from 'node:http';
import type { Answer, AnswerStream, WholeAnswer } from '@platform/http';
import { wire } from '@platform/rpc';
import { Makes } from '@platform/surface';
import { csvAnswer, partsOfList } from './csv/csv-answer.ts';
import { type AnswerContext, validated } from './endpoint/answer.ts';
import { replayed } from './endpoint/conditional-headers.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import type { CallContext, EndpointRequest } from './endpoint-request.ts';
import type { Message } from './json/decode-message.ts';
import { callEntries, type CallFacts } from './upstream.ts';

interface ReadyCall {
  readonly found: EndpointRequest;
  readonly message: Message;
  readonly context: CallContext;
  readonly facts: CallFacts;
  readonly isCsv: boolean;
  readonly about: Omit<AnswerContext, 'page'>;
}

/** Calls the service, and translates its response into the answer. @throws the errors of the call */
export async function answerCall(ready: ReadyCall): Promise<Answer> {
  const { found: { endpoint, replicas, path }, message, context, facts, isCsv } = ready;
  const { paging, placeOf } = endpoint.answer;
  const page = paging?.settle(message);
  const about = { ...ready.about, page };
  if (endpoint.isStreamed) {
    const responses = replicas.receive(endpoint.call, message, context, callEntries(facts));
    return isCsv ? csvAnswer(endpoint.csv!, path, placeOf, responses) : streamedAnswer(endpoint, responses, about);
  }
  const told = new Map<string, string>();
  const takeTold = endpoint.method.rest.revision || facts.repeat ? told.set.bind(told) : undefined;
  // With `AT_ONCE`, one transaction creates the object and stores the answer for the `Idempotency-Key`. So the call may
  // be repeated.
  const isKept = facts.repeat !== undefined && endpoint.method.rest.makes === Makes.AT_ONCE;
  const unary = { ...endpoint.call, repeatable: endpoint.call.repeatable || isKept };
  const call = (asked: Message, countsAs: number) =>
    replicas.call(unary, asked, context, callEntries({ ...facts, countsAs }), takeTold);
  // A whole list as CSV counts as one request. If the client asks for a page, only this page is read.
  const parts = () => partsOfList(
    message, page === undefined ? placeOf : undefined, (part, isFirst) => call(part, isFirst ? facts.countsAs : 0),
  );
  const answer = isCsv
    ? await csvAnswer(endpoint.csv!, path, placeOf, parts())
    : withRevision(
      endpoint.answer.write(await call(message, facts.countsAs), about),
      told.get(wire.revision), endpoint, about.headers,
    );
  if (told.has(wire.replayed)) answer.headers.push(replayed);
  return answer;
}

/**
 * The first message determines the headers. If the stream fails before the first message, the request is refused as
 * usual.
 */
async function streamedAnswer(
  { answer: rule }: Endpoint, responses: AsyncGenerator<Message, void, undefined>, about: AnswerContext,
): Promise<Answer> {
  const first = await responses.next();
  const answer = rule.write(first.done === true ? {} : first.value, about);
  const body: AnswerStream = {
    async *[Symbol.asyncIterator]() {
      yield bytesOf(answer.body);
      for await (const response of responses) yield bytesOf(rule.pieceOf(response));
    },
    end: async () => void (await responses.return()),
  };
  return { ...answer, body };
}

function withRevision(
  answer: WholeAnswer, revision: string | undefined, endpoint: Endpoint, headers: IncomingHttpHeaders,
): WholeAnswer {
  if (revision === undefined) return answer;
  if (endpoint.method.http!.verb === 'GET') return validated(answer, headers, { entityTag: revision });
  return { ...answer, headers: [...answer.headers, ['ETag', revision]] };
}

const bytesOf = (piece: string | Buffer): Buffer => (typeof piece === 'string' ? Buffer.from(piece) : piece);
