import { Fault } from '@platform/faults';
import type { Message } from '../json/decode-message.ts';
import type { Problems } from '../json/problems.ts';

interface RawBody {
  /** The content type as sent, with its parameters; undefined if the header is missing. */
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
}

/** Reads valid values into the message; returns the fault of invalid values. */
export type DecodeBody = (body: RawBody, message: Message) => Promise<Fault | undefined> | Fault | undefined;

/** The fault of a body that does not match its message. */
export function validation({ violations, tooMany }: Problems): Fault | undefined {
  if (tooMany) return tooMany;
  const [first] = violations;
  if (!first) return undefined;
  const message = first.path === '' ? first.message : `${first.path} ${first.message}`;
  return new Fault('VALIDATION_FAILED', message, { violations });
}
