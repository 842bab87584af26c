import type { Example } from '@platform/proto/examples';
import {
  type Comments, type DescField, fieldRules, integerRange, isFromHeaders, Makes, type Method, parseTemplate, ScalarType,
  takesRevision, wrappedField,
} from '@platform/surface';
import type { Parameter, Schema } from './document-types.ts';
import { enumSchema, scalarSchema } from './schemas.ts';
import { restText } from './texts.ts';

export function pathFieldsOf({ http }: Method): ReadonlySet<string> {
  const { segments } = parseTemplate(http!.template);
  return new Set(segments.flatMap((segment) => (segment.kind === 'fixed' ? [] : [segment.field])));
}

/** Returns the path with the JSON names of its parameters. `{rest=**}` becomes `{rest}`. */
export function documentPath({ http, input }: Method): string {
  const jsonNames = new Map(input.fields.map(({ name, jsonName }) => [name, jsonName]));
  const { text } = parseTemplate(http!.template);
  return text.replace(/\{(\w+)(?:=\*{1,2})?\}/g, (_, name: string) => `{${jsonNames.get(name)}}`);
}

/**
 * Describes the parameters that the gateway reads from path and query (libs/rest/src/endpoint), and the headers of
 * {@link conditionalHeaders}.
 */
export function parametersOf(method: Method, comments: Comments, { parameters: shown }: Example): Parameter[] {
  const { http, input, access, rest } = method;
  const inPath = pathFieldsOf(method);
  const path = [...inPath].map((name): Parameter => {
    const field = input.fields.find((candidate) => candidate.name === name)!;
    const actions = access.check?.actionField === field.localName ? [...access.check.actions.keys()] : [];
    const schema = actions.length > 0 ? { type: 'string' as const, enum: actions } : textSchema(field, 1);
    const description = described(field, comments);
    return { name: field.jsonName, in: 'path', required: true, ...description, schema: notEmpty(schema) };
  });
  const conditional = conditionalHeaders(method);
  const withExample = (parameter: Parameter): Parameter => {
    const example = shown?.[parameter.name];
    return example === undefined ? parameter : { ...parameter, example: exampleOf(parameter.schema, example) };
  };
  if (http!.body === '*') return [...path, ...conditional].map(withExample);
  const query = input.fields
    .filter((field) => !inPath.has(field.name) && field.name !== http!.body && !isFromHeaders(field))
    .map((field): Parameter => {
      const { flatten, required, zeroIsAbsent } = fieldRules(field);
      const values = flatten && field.message && field.fieldKind === 'message' ? wrappedField(field.message) : field;
      // A string field called `limit` is not the page size.
      const isPage = rest.paged && ['page', 'limit', 'per_page'].includes(field.name)
        && field.scalar !== ScalarType.STRING;
      const least = zeroIsAbsent ? 0 : 1;
      // The gateway accepts page numbers and page sizes up to 2^53-1, even for a 32-bit field.
      const item = isPage ? { ...scalarSchema(ScalarType.INT64), minimum: 0 } : textSchema(values, least);
      const { account } = access;
      const isOrganization = account?.from === 'slug' && account.field === field.localName && !account.optional;
      return {
        name: field.jsonName,
        in: 'query',
        ...(required || isOrganization ? { required: true } : {}),
        ...described(field, comments),
        schema: values.fieldKind === 'list' ? { type: 'array', items: item } : isOrganization ? notEmpty(item) : item,
        ...(values.fieldKind === 'list' ? { style: 'form' as const, explode: true } : {}),
      };
    });
  return [...path, ...query, ...conditional].map(withExample);
}

/** Describes the headers `Idempotency-Key` and `If-Match`, if the method accepts them (open-points 18.8). */
function conditionalHeaders(method: Method): Parameter[] {
  const headers: Parameter[] = [];
  if (method.rest.makes !== Makes.UNSPECIFIED) {
    headers.push({
      name: 'Idempotency-Key', in: 'header',
      description:
        'Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, '
        + 'if its status was 2xx, 400, 404 or 422, or 409 with a code other than `conflict`.',
      schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
    });
  }
  if (takesRevision(method)) {
    const description = '`ETag` of an earlier read. The request is refused if the object has changed since then.';
    headers.push({ name: 'If-Match', in: 'header', description, schema: { type: 'string' } });
  }
  return headers;
}

/** Converts an example to the type of its schema. */
function exampleOf(schema: Schema, shown: string | number | boolean): unknown {
  if (schema.type === 'array') return [exampleOf(schema.items!, shown)];
  return schema.type === 'string' ? String(shown) : shown;
}

function described(field: DescField, comments: Comments): { description?: string } {
  const description = restText(comments.of(field));
  return description === '' ? {} : { description };
}

/** Returns the schema of one value in a path or a query. Integers start at `least`. */
function textSchema(field: DescField, least: number): Schema {
  if (field.message) return { type: 'string', format: 'date-time' };
  if (field.enum) return enumSchema(field.enum);
  const range = integerRange(field);
  const schema = scalarSchema(field.scalar as ScalarType);
  return range ? { ...schema, minimum: least, maximum: range.most } : schema;
}

/** Adds `minLength` 1 to the schema of a text without enum and format. Returns other schemas unchanged. */
function notEmpty(schema: Schema): Schema {
  const isText = schema.type === 'string' && schema.enum === undefined && schema.format === undefined;
  return isText ? { ...schema, minLength: 1 } : schema;
}
