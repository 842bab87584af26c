import { Fault } from '@platform/faults';
import type { Message } from '../json/decode-message.ts';
import type { Problems } from '../json/problems.ts';

/** The body of a request as it arrived. */
export interface RawBody {
  /** As sent, with its parameters; undefined when the header is missing. */
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
}

/** Reads what fits into the message; answers what does not. */
export type DecodeBody = (body: RawBody, message: Message) => Promise<Fault | undefined> | Fault | undefined;

/** The fault of a body that does not fit its message. */
export function validation({ violations, tooMany }: Problems): Fault | undefined {
  if (tooMany) return tooMany;
  const [first] = violations;
  if (!first) return undefined;
  const message = first.path === '' ? first.message : `${first.path} ${first.message}`;
  return new Fault('VALIDATION_FAILED', message, { violations });
}
