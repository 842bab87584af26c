import { Fault } from '@platform/faults';
import type { Message } from '../json/decode-message.ts';
import type { Problems } from '../json/problems.ts';

/** Reads a body into the message. Returns a fault if the body is invalid. `contentType` includes its parameters. */
export type DecodeBody = (
  body: { readonly contentType: string | undefined; readonly bytes: Buffer }, message: Message,
) => Promise<Fault | undefined> | Fault | undefined;

export function validation({ violations, tooMany }: Problems): Fault | undefined {
  if (tooMany) return tooMany;
  const [first] = violations;
  if (!first) return undefined;
  const message = first.path === '' ? first.message : `${first.path} ${first.message}`;
  return new Fault('VALIDATION_FAILED', message, { violations });
}
