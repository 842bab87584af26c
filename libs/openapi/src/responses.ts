import { STATUS_CODES } from 'node:http';
import type { Example } from '@platform/proto/examples';
import { Makes, type Method } from '@platform/surface';
import type { Header, Reference, Response, Schema } from './document-types.ts';
import { errorOf } from './error-schemas.ts';
import { answersBody, isGated, refusalsByStatus, successesOf } from './refusals.ts';
import type { Schemas } from './schemas.ts';
import { pascalCase } from './texts.ts';

const text: Schema = { type: 'string' };

/**
 * Collects the responses of the document. Refusals are components. A refusal with up to three codes is named after its
 * codes, so operations can share it. A refusal with more codes is named after its method.
 */
export class Responses {
  readonly #components = new Map<string, Response>();

  components(): Record<string, Response> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  of(
    method: Method, methodName: string, schemas: Schemas, { answer: example }: Example,
  ): Record<string, Response | Reference> {
    const successes = successesOf(method).map((status) => [status, success(method, status, schemas, example)] as const);
    const refusals = [...refusalsByStatus(method)].map(([status, codes]) => {
      const refusal = status === 404 && isGated(method)
        ? this.#unregistered(codes, methodName)
        : this.#refusal(status, codes, methodName, errorOf(method));
      return [status, refusal] as const;
    });
    return Object.fromEntries([...successes, ...refusals]);
  }

  /** Adds the 404 of a route that some deployments do not register. */
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
      const told = isOfProvider ? ' If the marketplace refuses, `code` is the error code of the marketplace.' : '';
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

/**
 * Returns the field `x-codes` of a response. The codes cannot be in the schema, because the schema is a `$ref`, and
 * generators ignore everything beside a `$ref`.
 */
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

/** Response headers that are filled from fields of the response message. */
function ownHeaders({ rest }: Method): Record<string, Header> {
  const header: Header = { description: 'Omitted if it has no value.', schema: text };
  return Object.fromEntries(rest.headers.map(({ name }) => [name, header]));
}

/** Returns whether a GET answers with a list, as a JSON array (open-points 1.8). */
export function isArrayAnswer({ http, output, rest }: Method): boolean {
  const field = output.fields.find(({ name }) => name === http?.responseBody);
  return answersBody({ rest }) && http?.verb === 'GET' && field?.fieldKind === 'list';
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
