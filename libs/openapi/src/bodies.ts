import type { Example } from '@platform/proto/examples';
import { type DescField, fieldRules, type Method, wrappedField } from '@platform/surface';
import type { RequestBody, Schema } from './document-types.ts';
import { pathFieldsOf } from './parameters.ts';
import { takesDocument } from './refusals.ts';
import type { Schemas } from './schemas.ts';

/**
 * The body of a bound method, as the gateway reads it (libs/rest/src/endpoint/body.ts); undefined without one.
 * `name` is the short name of the method.
 */
export function bodyOf(
  method: Method,
  name: string,
  schemas: Schemas,
  { body: shown }: Example,
): RequestBody | undefined {
  const { http, input, rest } = method;
  const example = shown === undefined ? {} : { example: shown };
  if (http!.body === '') return undefined;
  if (takesDocument(method)) return { required: false, content: { '*/*': { schema: {} } } };
  if (http!.body !== '*') {
    const field = input.fields.find((candidate) => candidate.name === http!.body)!;
    const required = !rest.bodyOptional || fieldRules(field).required;
    return { required, content: { 'application/json': { schema: schemas.value(field, 'request'), ...example } } };
  }
  const inPath = pathFieldsOf(method);
  const fields = input.fields.filter((field) => !inPath.has(field.name));
  const required = !rest.bodyOptional;
  const form = rest.multipart ? { 'multipart/form-data': { schema: formOf(fields, schemas), ...example } } : {};
  if (rest.multipartOnly) return { required, content: form };
  const json = schemas.component(`${name}Body`, () => schemas.described(input, schemas.members(fields, 'request')));
  return { required, content: { ...form, 'application/json': { schema: json, ...example } } };
}

/** Each field is a part; a file is sent unchanged (libs/rest/src/endpoint/form.ts). */
function formOf(fields: readonly DescField[], schemas: Schemas): Schema {
  const required = fields.filter((field) => fieldRules(field).required).map(({ jsonName }) => jsonName);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.jsonName, partOf(field, schemas)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function partOf(field: DescField, schemas: Schemas): Schema {
  if (field.message?.typeName === 'platform.File') {
    const file: Schema = { type: 'string', contentMediaType: 'application/octet-stream' };
    return schemas.described(field, field.fieldKind === 'list' ? { type: 'array', items: file } : file);
  }
  const isFlat = fieldRules(field).flatten && field.message && field.fieldKind === 'message';
  return schemas.described(field, schemas.value(isFlat ? wrappedField(field.message) : field, 'request'));
}
