import type { Example } from '@platform/proto/examples';
import { type DescField, fieldRules, type Method, wrappedField } from '@platform/surface';
import type { RequestBody, Schema } from './document-types.ts';
import { pathFieldsOf } from './parameters.ts';
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
  if (http!.rawBody) return { required: false, content: { '*/*': { schema: {} } } };
  const field = input.fields.find((candidate) => candidate.name === http!.body);
  if (field && !rest.multipart) {
    const required = !rest.bodyOptional || fieldRules(field).required;
    return { required, content: { 'application/json': { schema: schemas.value(field, 'request'), ...example } } };
  }
  const inPath = pathFieldsOf(method);
  const type = field?.message ?? input;
  const fields = type.fields.filter(({ name: own }) => type !== input || !inPath.has(own));
  const required = !rest.bodyOptional;
  const form = rest.multipart ? { 'multipart/form-data': { schema: formOf(fields, schemas), ...example } } : {};
  if (rest.multipartOnly) return { required, content: form };
  // Files that are uploaded have no place in JSON.
  const inJson = fields.filter((one) => rest.upload === '' || !isFile(one));
  const json = schemas.component(`${name}Body`, () => schemas.described(type, schemas.members(inJson, 'request')));
  return { required, content: { ...form, 'application/json': { schema: json, ...example } } };
}

/** Each field is a part; a file is sent unchanged (libs/rest/src/endpoint/form.ts). */
function formOf(fields: readonly DescField[], schemas: Schemas): Schema {
  const required = fields.filter((field) => fieldRules(field).required).map(({ jsonName }) => jsonName);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.flatMap((field) => partsOf(field, schemas))),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The parts of a field; of a message with `form_flatten` also one for each member. */
function partsOf(field: DescField, schemas: Schemas): [name: string, schema: Schema][] {
  const members = fieldRules(field).formFlatten ? field.message!.fields : [];
  return [field, ...members].map((one) => [one.jsonName, partOf(one, schemas)]);
}

function isFile({ message }: DescField): boolean {
  return message?.typeName === 'controlplane.File';
}

function partOf(field: DescField, schemas: Schemas): Schema {
  if (isFile(field)) {
    const file: Schema = { type: 'string', contentMediaType: 'application/octet-stream' };
    return schemas.described(field, field.fieldKind === 'list' ? { type: 'array', items: file } : file);
  }
  const isFlat = fieldRules(field).flatten && field.message && field.fieldKind === 'message';
  return schemas.described(field, schemas.value(isFlat ? wrappedField(field.message) : field, 'request'));
}
