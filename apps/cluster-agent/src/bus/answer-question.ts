import type { SaidItem, Store } from '../store/store.ts';

/**
 * Maximum size of the items in a chunk, in bytes. A chunk of a single item may be larger. By default, the bus accepts
 * messages of at most 1 MiB.
 */
const mostChunkBytes = 512 * 1024;

/** A message in which the platform asks for the last reported states of objects (open-points 13.4). */
interface Question {
  readonly requestId: string;
  readonly licenseID: string;
  readonly group: string;
  readonly resource: string;
  /** Unix milliseconds. */
  readonly deadline: number;
  /** If true, the agent waits until the platform acknowledges a chunk before it sends the next chunk. */
  readonly acknowledges?: boolean;
}

/**
 * Returns how long to wait for the acknowledgement of a chunk, in milliseconds: until the deadline of the question.
 * Returns undefined if the platform does not acknowledge chunks, or the text is not a question.
 */
export function acknowledgedWithin(text: string): number | undefined {
  const question = readQuestion(text);
  return question?.acknowledges === true ? Math.max(1, question.deadline - Date.now()) : undefined;
}

/**
 * Answers a question in numbered chunks. Ignores a text that is not a question. The answer for an unknown licence is
 * `not_found`. Stops at the deadline of the question, because nobody waits for the answer afterwards.
 */
export function* answerQuestion(
  store: Pick<Store, 'items'>, text: string, now: () => number = Date.now,
): Generator<string> {
  const question = readQuestion(text);
  if (question === undefined || question.deadline <= now()) return;
  const { requestId, licenseID, group, resource } = question;
  const items = store.items(licenseID, group, resource);
  if (items === undefined) {
    const error = { code: 'not_found', message: 'this agent has never reported under this licence' };
    yield JSON.stringify({ requestId, seq: 1, last: true, error });
    return;
  }
  let seq = 0;
  let rest: readonly SaidItem[] = items;
  do {
    const count = fitting(rest);
    seq += 1;
    yield JSON.stringify({ requestId, seq, last: count === rest.length, items: rest.slice(0, count) });
    rest = rest.slice(count);
  } while (rest.length > 0 && question.deadline > now());
}

/** Returns how many of the items fit into one chunk; at least 1 unless there are no items. */
function fitting(items: readonly SaidItem[]): number {
  let bytes = 0;
  const first = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > mostChunkBytes;
  });
  return first < 0 ? items.length : Math.max(1, first);
}

function readQuestion(text: string): Question | undefined {
  try {
    const given = JSON.parse(text) as Partial<Question>;
    const { requestId, licenseID, group = '', resource = '', deadline, acknowledges } = given;
    const isQuestion = [requestId, licenseID, group, resource].every((one) => typeof one === 'string')
      && Number.isFinite(deadline);
    return isQuestion ? { requestId, licenseID, group, resource, deadline, acknowledges } as Question : undefined;
  } catch {
    return undefined;
  }
}
