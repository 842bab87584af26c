import { randomUUID } from 'node:crypto';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { Fault, unavailable } from '@platform/faults';
import { type Deadline, remaining } from '@platform/service';
import { countValues } from '@platform/values';
import { answerSubject, type Member, requestSubject } from './member-subjects.ts';

/** A question to the agent in a member cluster about the objects of a resource (open-points 13.4). */
export interface Question {
  readonly licenseID: string;
  readonly group: string;
  readonly resource: string;
}

/** Maximum total size of the chunks of an answer, in bytes. */
const mostAnswerBytes = 16 * 1024 * 1024;
/** Maximum number of JSON values of all chunks together, as {@link countValues} estimates it. */
const mostValues = 1_000_000;

interface Chunk {
  readonly seq: number;
  readonly last: boolean;
  readonly items: readonly unknown[];
  /** The error code with which the agent refuses the question; undefined if the agent does not refuse. */
  readonly error: string | undefined;
}

export interface BusConnected {
  readonly client: NatsConnection;
  readonly lost: AbortSignal;
}

/**
 * Asks the agent in a member cluster, and joins the chunks of its answer; see `Bus.ask`. Acknowledges each chunk. The
 * agent can wait for the acknowledgement before it sends the next chunk. If the agent sends faster than this service
 * reads, the NATS server may close the connection of this service.
 */
export function askMember(
  { client, lost }: BusConnected, member: Member, question: Question, deadline: Deadline,
): Promise<readonly unknown[]> {
  const requestId = randomUUID();
  const replyTo = answerSubject(member, requestId);
  return new Promise((resolve, reject) => {
    const chunks = new Map<number, Chunk>();
    let [bytes, values] = [0, 0];
    let count = Infinity;
    const take = (message: Msg): void => {
      if (message.headers?.code === 503) return fail(unavailable('the cluster'));
      message.respond();
      bytes += message.data.length;
      if (bytes > mostAnswerBytes) return fail(badAnswer(`more than ${mostAnswerBytes} bytes`));
      values += countValues(message.data);
      if (values > mostValues) return fail(badAnswer(`more than ${mostValues} values`));
      const chunk = readChunk(message, requestId);
      if (chunk === 'other') return;
      if (chunk === undefined) return fail(badAnswer('a malformed chunk'));
      if (chunk.error !== undefined) return fail(refusal(chunk.error));
      if (!chunks.has(chunk.seq)) chunks.set(chunk.seq, chunk);
      if (chunk.last) count = chunk.seq;
      if (chunks.size < count) return;
      const ordered = [...chunks.values()].sort((one, other) => one.seq - other.seq);
      if (ordered.at(-1)!.seq !== count) return fail(badAnswer('a chunk after the last chunk'));
      end();
      resolve(ordered.flatMap(({ items }) => items));
    };
    const subscription = client.subscribe(replyTo, {
      callback: (error, message) => (error === null ? take(message) : fail(unavailable('the message bus', error))),
    });
    const timer = setTimeout(() => fail(silent()), remaining(deadline));
    const cancelled = (): void => fail(silent());
    deadline.signal.addEventListener('abort', cancelled, { once: true });
    const onLost = (): void => fail(unavailable('the message bus'));
    lost.addEventListener('abort', onLost, { once: true });
    const end = (): void => {
      clearTimeout(timer);
      deadline.signal.removeEventListener('abort', cancelled);
      lost.removeEventListener('abort', onLost);
      if (!client.isClosed()) subscription.unsubscribe();
    };
    const fail = (fault: Fault): void => {
      end();
      reject(fault);
    };
    const until = Math.floor(Date.now() + remaining(deadline));
    const request = { requestId, ...question, deadline: until, acknowledges: true };
    client.publish(requestSubject(member), JSON.stringify(request), { reply: replyTo });
  });
}

/** @returns 'other' for a chunk of another request, undefined for a malformed chunk */
function readChunk(message: Msg, requestId: string): Chunk | 'other' | undefined {
  let given: Record<string, unknown>;
  try {
    given = message.json();
  } catch {
    return undefined;
  }
  if (typeof given !== 'object' || given === null) return undefined;
  if (given['requestId'] !== requestId) return 'other';
  const { seq, last, items = [], error } = given;
  if (error !== undefined && error !== null) {
    return { seq: 0, last: true, items: [], error: String((error as { code?: unknown }).code) };
  }
  if (!Number.isSafeInteger(seq) || (seq as number) < 1 || typeof last !== 'boolean' || !Array.isArray(items)) {
    return undefined;
  }
  return { seq: seq as number, last, items, error: undefined };
}

function refusal(code: string): Fault {
  if (code === 'not_found') return new Fault('NOT_FOUND', 'the cluster does not know this licence');
  return badAnswer(`the error ${code}`);
}

function badAnswer(cause: string): Fault {
  return new Fault('BAD_UPSTREAM', 'the cluster gave no valid answer', { cause: new Error(cause) });
}

function silent(): Fault {
  return new Fault('DEADLINE_EXCEEDED', 'the cluster did not answer in time');
}
