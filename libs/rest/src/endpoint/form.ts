import type { IncomingMessage, ServerResponse } from 'node:http';
import { passBody } from '@platform/http';
import busboy from 'busboy';
import type { Message } from '../json/decode-message.ts';
import { ArrivingForm, incomplete, mostParts } from './arriving-form.ts';
import type { FormFields } from './form-fields.ts';
import type { FormOptions, TakenForm } from './form-options.ts';

/**
 * Reads a form into the message as the form arrives. If the method has uploads, the files of the form go to the
 * service, and the message gets handles of the files.
 * @throws CallerGone
 */
export async function readForm(
  request: IncomingMessage, response: ServerResponse, fields: FormFields, message: Message, options: FormOptions,
): Promise<TakenForm> {
  const { form: most, bodyMs: withinMs } = options.limits;
  const parser = openParser(request.headers['content-type'] ?? '', options.limits.body);
  if (parser === undefined) return { fault: incomplete(), answerNow: undefined, isCut: true, held: 0 };
  const form = new ArrivingForm(parser, fields, message, options);
  const passed = passBody(request, response, { most, withinMs, enough: form.enough }, (bytes) => form.take(bytes));
  return { ...(await form.end(passed)), held: form.held };
}

/** Returns undefined if the parser refuses the content type. @param longest maximum bytes of a text */
function openParser(contentType: string, longest: number): busboy.Busboy | undefined {
  try {
    // The parser reports a limit when it is reached, not when it is exceeded.
    const limits = { parts: mostParts + 1, fieldSize: longest + 1 };
    return busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', limits });
  } catch {
    return undefined;
  }
}
