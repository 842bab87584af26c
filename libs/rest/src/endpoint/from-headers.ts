import type { IncomingMessage } from 'node:http';
import { type CookieRules, readCookie, readSessionCookie } from '@platform/http';
import { fieldRules, isFromHeaders, type Method, ScalarType } from '@platform/surface';
import type { Message } from '../json/decode-message.ts';

/** Fills fields of the message with cookies and headers (`controlplane.field.cookie`, `header`). */
export type ReadHeaders = (request: Request, rules: CookieRules, message: Message) => void;

type Request = Pick<IncomingMessage, 'method' | 'headers'>;

/** Compiles the reader; undefined if no field is set by headers. @throws Error if such a field is not a string */
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
 * A POST may read the session only if it comes from a page of the platform. A GET has no such check, because an
 * identity provider may redirect the browser here.
 */
function cookieOf(request: Request, rules: CookieRules, cookie: string): string | undefined {
  if (cookie === 'session' && request.method === 'POST') return readSessionCookie(request, rules);
  return readCookie(request.headers, rules.nameOf(cookie));
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  // Header values are Latin-1 here. The service that stores the value reduces it to one line of text.
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', ' ') : undefined;
}
