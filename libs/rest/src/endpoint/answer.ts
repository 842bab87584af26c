import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, attachment, type CookieRules, type Query, type WholeAnswer } from '@platform/http';
import { Answer as AnswerKind, type DescField, type Method } from '@platform/surface';
import type { Message } from '../json/decode-message.ts';
import type { MessageEncoders } from '../json/encode-message.ts';
import { compilePaging, type Paging, type Place, type RequestedPage } from '../paging.ts';

export interface AnswerContext {
  readonly headers: IncomingHttpHeaders;
  readonly query: Query;
  /** URL of the request without its query, for links to other pages. */
  readonly url: string;
  readonly page: RequestedPage | undefined;
  readonly cookies: CookieRules;
}

export interface AnswerRule {
  readonly paging: Paging | undefined;
  /** Reads the list's length and the start of its next page from a response; undefined for a method without paging. */
  readonly placeOf: ((response: Message) => Place) | undefined;
  /** Returns the answer. For a stream, `response` is the first message, and the body is only the first piece. */
  write(response: Message, context: AnswerContext): WholeAnswer;
  pieceOf(response: Message): string | Buffer;
}

/** Compiles how a method answers. @throws Error if the method's options do not fit its response */
export function compileAnswer(method: Method, encoders: MessageEncoders): AnswerRule {
  const { http, output, rest, fullName } = method;
  const field = (name: string): DescField => {
    const found = output.fields.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`${fullName}: its options refer to the field ${name}, which its response lacks`);
    return found;
  };
  const paging = compilePaging(method);
  const body = bodyWriter(method, encoders, field);
  const redirect = rest.redirect === '' ? undefined : field(rest.redirect).name;
  const lastModified = rest.lastModified === '' ? undefined : integerReader(field(rest.lastModified), encoders);
  const placeOf = paging ? placeReader(field('total'), field('next'), encoders) : undefined;
  const isList = http!.verb === 'GET' && http!.responseBody !== '' && field(http!.responseBody).fieldKind === 'list';
  const status = rest.status || 200;
  const addHeaders = headerWriter(method, encoders, field);
  const addCookies = cookieWriter(method, field);
  refuseImpossibleStream(method, field);

  return {
    paging,
    placeOf,
    pieceOf: (response) => body(response, status).body,
    write: (response, context) => {
      const location = redirect === undefined ? '' : (response[redirect] as string);
      if (location !== '') {
        const ascii = location.replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()));
        const headers: Answer['headers'] = [['Location', ascii]];
        addCookies(response, headers, context.cookies);
        return { status: 302, headers, body: '' };
      }
      const answer = body(response, status);
      addHeaders(response, answer.headers);
      addCookies(response, answer.headers, context.cookies);
      const place = placeOf?.(response);
      if (place || isList) {
        answer.headers.push(['X-Total-Count', String(place?.total ?? lengthOf(response, http!.responseBody))]);
      }
      const link = place && paging?.link(context.page, place, context.url, context.query);
      if (link) answer.headers.push(['Link', link]);
      if (!rest.immutable && !rest.etag) return answer;
      const entityTag = `"${createHash('sha256').update(answer.body).digest('base64url').slice(0, 27)}"`;
      return validated(answer, context.headers, rest.immutable
        ? { entityTag, cacheControl: 'public, max-age=31536000, immutable' }
        : { entityTag, cacheControl: 'no-cache', modified: lastModified?.(response) ?? 0 });
    },
  };
}

function headerWriter(
  { rest: { filename, headers: named } }: Method, encoders: MessageEncoders, field: (name: string) => DescField,
) {
  const reader = (name: string) => {
    const from = field(name);
    const encode = encoders.value(from) as (value: unknown) => unknown;
    return (response: Message) => (Object.hasOwn(response, from.name) ? String(encode(response[from.name])) : '');
  };
  const readers = named.map(({ name, field: from }) => [name, reader(from)] as const);
  const readFilename = filename === '' ? undefined : reader(filename);
  return (response: Message, headers: Answer['headers']): void => {
    const name = readFilename?.(response) ?? '';
    if (name !== '') headers.push(['Content-Disposition', attachment(name)]);
    for (const [header, read] of readers) {
      const value = read(response);
      if (value !== '') headers.push([header, value]);
    }
  };
}

function cookieWriter({ http, rest, fullName }: Method, field: (name: string) => DescField) {
  if (rest.cookies.length > 0 && rest.answer !== AnswerKind.EMPTY && http!.responseBody === '') {
    throw new Error(`${fullName}: the values of its cookies would be in the body, which scripts can read`);
  }
  const cookies = rest.cookies.map(({ field: from, ...cookie }) => ({ ...cookie, from: field(from).name }));
  return (response: Message, headers: Answer['headers'], rules: CookieRules): void => {
    for (const { name, from, maxAgeSeconds } of cookies) {
      if (!Object.hasOwn(response, from)) continue;
      headers.push(['Set-Cookie', rules.set(name, response[from] as string, maxAgeSeconds)]);
    }
  };
}

/** @throws Error if a method streams, but its answer cannot be sent in pieces */
function refuseImpossibleStream(
  { kind, http, output, rest, fullName }: Method, field: (name: string) => DescField,
): void {
  if (kind === 'unary') return;
  const type = http!.responseBody === '' ? output.typeName : field(http!.responseBody).message?.typeName;
  const isBare = rest.answer === AnswerKind.UNSPECIFIED && rest.redirect === '' && !rest.etag && !rest.immutable;
  if (kind !== 'server_streaming' || http!.verb !== 'GET' || type !== httpBody || !isBare) {
    throw new Error(
      `${fullName}: a stream must be a GET of google.api.HttpBody, without options answer, redirect, etag or immutable`,
    );
  }
}

type WriteBody = (response: Message, status: number) => WholeAnswer;

function bodyWriter(method: Method, encoders: MessageEncoders, field: (name: string) => DescField): WriteBody {
  const { http, output, rest } = method;
  if (rest.answer === AnswerKind.EMPTY) return (_, status) => ({ status, headers: [], body: '' });
  if (output.typeName === httpBody) return documentOf;
  if (http!.responseBody === '') {
    const encode = encoders.of(output);
    return (response, status) => jsonAnswer(status, encode(response as never));
  }
  const unwrapped = field(http!.responseBody);
  if (unwrapped.message?.typeName === httpBody && unwrapped.fieldKind === 'message') {
    return (response, status) => documentOf((response[unwrapped.name] ?? {}) as Message, status);
  }
  const encode = encoders.fieldOf(unwrapped);
  return (response, status) => jsonAnswer(status, encode(response));
}

const httpBody = 'google.api.HttpBody';

/** Converts a `google.api.HttpBody` to an answer. Data without a content type gets `application/octet-stream`. */
function documentOf({ content_type: contentType, data }: Message, status: number): WholeAnswer {
  const body = data instanceof Uint8Array ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : '';
  const type = (contentType as string | undefined) || (body.length === 0 ? '' : 'application/octet-stream');
  return { status, headers: type === '' ? [] : [['Content-Type', type]], body };
}

function jsonAnswer(status: number, value: unknown): WholeAnswer {
  return { status, headers: [['Content-Type', 'application/json']], body: JSON.stringify(value) };
}

function integerReader(field: DescField, encoders: MessageEncoders): (response: Message) => number {
  const encode = encoders.value(field);
  return (response) => (Object.hasOwn(response, field.name) ? Number(encode(response[field.name] as never)) : 0);
}

function lengthOf(response: Message, listField: string): number {
  return Object.hasOwn(response, listField) ? (response[listField] as unknown[]).length : 0;
}

function placeReader(total: DescField, next: DescField, encoders: MessageEncoders): (response: Message) => Place {
  const readTotal = integerReader(total, encoders);
  return (response) => ({
    total: readTotal(response),
    next: Object.hasOwn(response, next.name) ? (response[next.name] as string) : undefined,
  });
}

/**
 * Adds validators to an answer to GET or HEAD. Returns 304 if the client has this answer already (RFC 9110 §13).
 * `modified` is in unix seconds; 0 when unknown.
 */
export function validated(
  answer: WholeAnswer, headers: IncomingHttpHeaders,
  { entityTag, cacheControl, modified = 0 }: { entityTag: string; cacheControl?: string; modified?: number },
): WholeAnswer {
  // Do not send a time in the future (RFC 9110 §8.8.2.1). After quick changes, `modified` can be ahead of the clock.
  const lastModified = modified * 1000 <= Date.now() ? modified : 0;
  const about: Answer['headers'] = [['ETag', entityTag]];
  if (cacheControl !== undefined) about.push(['Cache-Control', cacheControl]);
  if (lastModified > 0) about.push(['Last-Modified', new Date(lastModified * 1000).toUTCString()]);
  if (isUnchanged(headers, entityTag, lastModified)) return { status: 304, headers: about, body: '' };
  return { ...answer, headers: [...answer.headers, ...about] };
}

/** Whether the client's copy is still current. @param lastModified unix seconds; 0 when unknown */
function isUnchanged(headers: IncomingHttpHeaders, entityTag: string, lastModified: number): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) {
    return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === entityTag);
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return lastModified > 0 && since >= lastModified * 1000;
}
