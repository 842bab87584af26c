import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault } from '@platform/faults';
import { CallerGone, hasBody, readBody } from '@platform/http';
import { smallBody } from '@platform/limits';
import { type BodyRule, isForm } from './endpoint/body.ts';
import { readForm } from './endpoint/form.ts';
import { FormDigest } from './endpoint/form-digest.ts';
import type { FormOptions, TakenForm } from './endpoint/form-options.ts';
import type { Message } from './json/decode-message.ts';

interface TakenBody extends Partial<Pick<TakenForm, 'fault' | 'answerNow'>>, Pick<TakenForm, 'held'> {
  /** Whether the connection must close, because the rest of the body is not read. */
  readonly close: boolean;
  /**
   * The hash of the body. If the body is ignored, the hash of an empty body. Undefined if `withDigest` is false. Can be
   * undefined if there is a fault.
   */
  readonly digest?: Buffer | undefined;
}

interface BodyOptions extends Omit<FormOptions, 'digest'> {
  readonly withDigest: boolean;
  /** Counts a body against the rate limit before it is parsed. Returns a fault if the request must be refused now. */
  readonly countArrived: (bytes: number) => Promise<Fault | undefined>;
}

const empty = Buffer.alloc(0);

function digestOf(bytes: Buffer, { withDigest }: BodyOptions): Buffer | undefined {
  return withDigest ? createHash('sha256').update(bytes).digest() : undefined;
}

/** Whether the body is large or of unknown length. A new connection then costs less than reading the body. */
export function leavesTooMuch(request: IncomingMessage): boolean {
  return hasBody(request) && !(Number(request.headers['content-length']) <= smallBody);
}

/** Reads the valid values of a body into the message. Without a rule, the body is ignored. @throws CallerGone */
export async function takeBody(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  rule: BodyRule | undefined, message: Message, options: BodyOptions,
): Promise<TakenBody> {
  const { headers } = request;
  const contentType = headers['content-type'];
  if (!hasBody(request)) {
    const fault = await rule?.read({ contentType, bytes: empty }, message);
    return { fault, close: false, held: 0, digest: digestOf(empty, options) };
  }
  const close = leavesTooMuch(request);
  // Without a rule, the body is ignored. So the digest is the digest of an empty body.
  if (!rule) return { close, held: 0, digest: digestOf(empty, options) };
  const refusedType = rule.refuseType(headers);
  if (refusedType) return { fault: refusedType, close, held: 0 };

  if (rule.form && isForm(contentType)) {
    const target = rule.field === undefined ? message : ((message[rule.field] ??= {}) as Message);
    const digest = options.withDigest ? new FormDigest() : undefined;
    const { isCut, ...taken } = await readForm(request, response, rule.form, target, { ...options, digest });
    return { ...taken, close: isCut, digest: isCut ? undefined : digest?.end() };
  }
  const { limits, memory, source, turns } = options;
  const body = await readBody(request, response, { most: limits.body, withinMs: limits.bodyMs, memory, source });
  if ('bytes' in body) {
    const { bytes, held } = body;
    const read = () => (response.destroyed ? undefined : rule.read({ contentType, bytes }, message));
    try {
      const answerNow = await options.countArrived(bytes.length);
      if (answerNow) return { answerNow, close: false, held };
      const fault = await (bytes.length > smallBody ? turns.run(source, read) : read());
      if (response.destroyed) throw new CallerGone();
      return { fault, close: false, held, digest: digestOf(bytes, options) };
    } catch (error) {
      memory.give(held, source);
      throw error;
    }
  }
  return { ...(body.reason === 'BODY_TOO_LARGE' ? { fault: body } : { answerNow: body }), close: true, held: 0 };
}
