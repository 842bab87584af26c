import type { IncomingMessage } from 'node:http';
import { type CookieRules, readCookie, readSessionCookie } from '@platform/http';
import { fieldRules, isFromHeaders, type Method, ScalarType } from '@platform/surface';
import type { Message } from '../json/decode-message.ts';

/** Fills fields of the message with cookies and headers (`controlplane.field.cookie`, `header`). */
export type ReadHeaders = (request: Request, rules: CookieRules, message: Message) => void;

type Request = Pick<IncomingMessage, 'method' | 'headers'>;

/**
 * Compiles the reader of the fields that cookies and headers set. Returns undefined if there are no such fields.
 * @throws Error if one of these fields is not a string
 */
export function compileHeaders({ input, fullName }: Method): ReadHeaders | undefined {
  const fields = input.fields.filter(isFromHeaders).map((field) => {
    const { cookie, header } = fieldRules(field);
    if (field.fieldKind !== 'scalar' || field.scalar !== ScalarType.STRING) {
      throw new Error(`${fullName}: the field ${field.name} is set from a cookie or header, so it must be a text`);
    }
    return { name: field.name, cookie, header };
  });
  if (fields.length === 0) return undefined;
  return (request, rules, message) => {
    for (const { name, cookie, header } of fields) {
      const value = cookie === '' ? textOf(request.headers[header]) : cookieOf(request, rules, cookie);
      if (value !== undefined) message[name] = value;
    }
  };
}

/**
 * Returns the value of a cookie. A POST may read the session cookie only if a page of the platform sent the request. A
 * GET may always read this cookie, because an identity provider may redirect the browser to the platform.
 */
function cookieOf(request: Request, rules: CookieRules, cookie: string): string | undefined {
  if (cookie === 'session' && request.method === 'POST') return readSessionCookie(request, rules);
  return readCookie(request.headers, rules.nameOf(cookie));
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  // A string of a proto must be well-formed, and PostgreSQL cannot store NUL.
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', ' ') : undefined;
}
