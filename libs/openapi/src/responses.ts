import { STATUS_CODES } from 'node:http';
import type { Example } from '@platform/proto/examples';
import { listenerPrefix, Makes, type Method } from '@platform/surface';
import type { Header, Reference, Response, Schema } from './document-types.ts';
import { answersBody, isGated, refusalsByStatus, successesOf } from './refusals.ts';
import type { Schemas } from './schemas.ts';
import { pascalCase } from './texts.ts';

const text: Schema = { type: 'string' };

/** Headers of answers, by the name of their component. */
export const headers: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'Names the request in logs. The one of the request when it is valid, else a new one.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
  'X-Total-Count': {
    description: 'Length of the whole list.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  Link: {
    description:
      'Links to the pages `next`, `last`, `first` and `prev` (RFC 8288); absent when there is none. `next` begins '
      + 'after the last row of this page, also when rows are created or deleted meanwhile; the others count rows from '
      + 'the start.',
    schema: text,
  },
  'Idempotent-Replayed': {
    description: '`true` where the answer is that of an earlier request with the same `Idempotency-Key`; else absent.',
    schema: text,
  },
  Location: { description: 'The address of the answer.', required: true, schema: text },
  ETag: {
    description: 'Names this state of the answer. Send it back as If-None-Match, or as If-Match with a change of it.',
    required: true,
    schema: text,
  },
  'Last-Modified': { description: 'When the answer last changed. Absent when unknown.', schema: text },
  'Content-Disposition': { description: 'The answer is a download of this file name (RFC 6266).', schema: text },
  'Cache-Control': {
    description: 'How long the answer may be kept, and whether it must be validated before use.',
    required: true,
    schema: text,
  },
  'Set-Cookie': { description: 'Begins or ends a cookie that scripts cannot read.', schema: text },
  Deprecation: { description: 'Since when the route is deprecated (RFC 9745).', required: true, schema: text },
  Sunset: { description: 'When the route goes away (RFC 8594).', required: true, schema: text },
  'WWW-Authenticate': { description: 'Always `Bearer`.', required: true, schema: text },
  'Retry-After': {
    description: 'Seconds to wait before another try.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  Allow: { description: 'The verbs of the path, when it has others.', schema: text },
  RateLimit: {
    description:
      'The remaining requests of the limit that was reached, and the seconds until more: `"account";r=0;t=1`.',
    required: true,
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The limit that was reached, as requests and seconds: `"account";q=1000;w=10`.',
    required: true,
    schema: text,
  },
};

/** The body of every refusal (open-points 1.6). */
const errorSchema: Schema = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'For people; may change.' },
    url: { type: 'string', description: 'Address of this reference.' },
    code: { type: 'string', description: 'For programs; stable.' },
    requestId: { type: 'string', description: 'Leads to the log.' },
    errors: {
      type: 'array',
      description: 'What is wrong with the request, as far as it is known.',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'JSON path in the body, or name of a parameter.' },
          message: { type: 'string' },
        },
        required: ['path', 'message'],
      },
    },
    origErr: { type: 'object', description: 'The error of a marketplace that refuses, as it is.' },
  },
  required: ['message', 'url', 'code', 'requestId'],
  description: 'A refusal.',
};

const { message, code, requestId } = errorSchema.properties!;

/** The body of every refusal of the marketplace listener (spec §2.8 ApiError, open-points 1.6). */
const listenerErrorSchema: Schema = {
  type: 'object',
  properties: { message: message!, code: code!, requestId: requestId! },
  required: ['message', 'code', 'requestId'],
  description: 'A refusal of the marketplace listener.',
};

/** A 404 that may come from the gateway, which does not know the route. */
const unregisteredErrorSchema: Schema = {
  ...errorSchema, required: ['message'], description: 'A refusal, or only a message where the route is not registered.',
};

/** The bodies of refusals, by the name of their component. */
export const errorSchemas: Readonly<Record<string, Schema>> = {
  ApiError: errorSchema, ListenerError: listenerErrorSchema, UnregisteredError: unregisteredErrorSchema,
};

/** The name of the schema of a method's refusals. */
function errorOf({ http }: Method): string {
  return http?.template.startsWith(listenerPrefix) ? 'ListenerError' : 'ApiError';
}

/** The names of the schemas of all refusals of a method. */
export function errorsOf(method: Method): string[] {
  return [errorOf(method), ...(isGated(method) ? ['UnregisteredError'] : [])];
}

/**
 * Collects the responses of the document. Refusals are components: a set of up to three codes is named after them and
 * shared; a larger set belongs to one operation.
 */
export class Responses {
  readonly #components = new Map<string, Response>();

  components(): Record<string, Response> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Every answer of a bound method, by status. */
  of(
    method: Method,
    methodName: string,
    schemas: Schemas,
    { answer: example }: Example,
  ): Record<string, Response | Reference> {
    const successes = successesOf(method).map(
      (status) => [String(status), success(method, status, schemas, example)] as const,
    );
    const refusals = [...refusalsByStatus(method)].map(([status, codes]) => {
      const refusal = status === 404 && isGated(method)
        ? this.#unregistered(codes, methodName)
        : this.#refusal(status, codes, methodName, errorOf(method));
      return [String(status), refusal] as const;
    });
    return Object.fromEntries([...successes, ...refusals]);
  }

  /** A 404 that may also mean that this deployment does not register the route. */
  #unregistered(codes: readonly string[], methodName: string): Reference {
    const names = codes.length > 3 ? [methodName, 'NotFound'] : codes.map(pascalCase);
    const name = [...names, 'NotRegistered'].join(codes.length > 3 ? '' : 'Or');
    const told = codes.length === 0 ? '' : `${codes.map((one) => `\`${one.toLowerCase()}\``).join(', ')}; or `;
    this.#components.set(name, {
      description: `Not Found: ${told}this deployment does not have the route, and the body is \`{"message":"Not Found"}\`.`,
      headers: referTo(['X-Request-Id']),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/UnregisteredError' } } },
      ...codesOf(codes),
    });
    return { $ref: `#/components/responses/${name}` };
  }

  #refusal(status: number, codes: readonly string[], methodName: string, error: string): Reference {
    const phrase = STATUS_CODES[status]!;
    const shared = `${error === 'ApiError' ? '' : 'Listener'}${codes.map(pascalCase).join('Or')}`;
    const name = codes.length > 3 ? methodName + phrase.replaceAll(' ', '') : shared;
    if (!this.#components.has(name)) {
      const isOfProvider = codes.some((code) => code.startsWith('PROVIDER_'));
      const told = isOfProvider ? " The code of a marketplace's refusal is its own." : '';
      this.#components.set(name, {
        description: `${phrase}: ${codes.map((code) => `\`${code.toLowerCase()}\``).join(', ')}.${told}`,
        headers: referTo(['X-Request-Id', ...(refusalHeaders[status] ?? [])]),
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${error}` } } },
        ...(isOfProvider ? {} : codesOf(codes)),
      });
    }
    return { $ref: `#/components/responses/${name}` };
  }
}

/** Beside the schema, because generators of clients read nothing that stands beside a reference to one. */
function codesOf(codes: readonly string[]): Pick<Response, 'x-codes'> {
  return codes.length === 0 ? {} : { 'x-codes': codes.map((code) => code.toLowerCase()) };
}

const refusalHeaders: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

function success(method: Method, status: number, schemas: Schemas, example: unknown): Response {
  const { rest } = method;
  const names = ['X-Request-Id'];
  if (status === 302) names.push('Location');
  else if (isArrayAnswer(method)) names.push('X-Total-Count', ...(rest.paged ? ['Link'] : []));
  if ((rest.etag || rest.immutable) && status !== 302) names.push('ETag', 'Cache-Control');
  if (rest.lastModified !== '' && status !== 302) names.push('Last-Modified');
  if (rest.deprecation) names.push('Deprecation', 'Sunset', 'Link');
  if (rest.filename !== '' && status < 300) names.push('Content-Disposition');
  if (rest.revision) names.push('ETag');
  if (rest.cookies.length > 0) names.push('Set-Cookie');
  if (rest.makes !== Makes.UNSPECIFIED) names.push('Idempotent-Replayed');
  const content = status < 300 && answersBody(method) ? contentOf(method, schemas, example) : undefined;
  return {
    description: `${STATUS_CODES[status]}.`,
    headers: { ...referTo([...new Set(names)]), ...(status < 300 ? ownHeaders(method) : {}) },
    ...(content ? { content } : {}),
  };
}

/** Headers that are response fields. */
function ownHeaders({ rest }: Method): Record<string, Header> {
  const header: Header = { description: 'Left out when it has no value.', schema: text };
  return Object.fromEntries(rest.headers.map(({ name }) => [name, header]));
}

/** Whether the answer is a JSON array, and so a list (open-points 1.8). */
export function isArrayAnswer({ http, output, rest }: Method): boolean {
  const field = output.fields.find(({ name }) => name === http?.responseBody);
  return answersBody({ rest } as Method) && http?.verb === 'GET' && field?.fieldKind === 'list';
}

function contentOf({ http, output, rest, json }: Method, schemas: Schemas, example: unknown): Response['content'] {
  const field = output.fields.find(({ name }) => name === http!.responseBody);
  const message = field ? (field.fieldKind === 'message' ? field.message : undefined) : output;
  if (message?.typeName === 'google.api.HttpBody') {
    if (json === undefined) return { [rest.mediaType || '*/*']: { schema: {} } };
    return { ...jsonContent(schemas.message(json, 'answer'), example), ...(rest.rows ? csv : {}) };
  }
  const schema = field ? schemas.value(field, 'answer') : schemas.message(output, 'answer');
  const isList = http!.verb === 'GET' && field?.fieldKind === 'list';
  return { ...jsonContent(schema, example), ...(isList ? csv : {}) };
}

function jsonContent(schema: Schema, example: unknown): NonNullable<Response['content']> {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

/** The rows as CSV (open-points 18.7). */
const csv = { 'text/csv': { schema: text } };

function referTo(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
