import type { Example } from '@platform/proto/examples';
import {
  type DescField, type DescMessage, fieldRules, isFromHeaders, type Method, wrappedField,
} from '@platform/surface';
import type { Encoding, Media, RequestBody, Schema } from './document-types.ts';
import { pathFieldsOf } from './parameters.ts';
import type { Schemas } from './schemas.ts';

/**
 * Describes the request body that the gateway reads (libs/rest/src/endpoint/body.ts). Returns undefined if the method
 * has no body.
 */
export function bodyOf(
  method: Method, name: string, schemas: Schemas, { body: shown }: Example,
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
  const fields = type.fields.filter((one) => type !== input || (!inPath.has(one.name) && !isFromHeaders(one)));
  const required = !rest.bodyOptional;
  const form = rest.multipart ? { 'multipart/form-data': { ...formOf(`${name}Form`, type, fields, schemas), ...example } } : {};
  if (rest.multipartOnly) return { required, content: form };
  // If the method takes an upload, its files are left out, because JSON cannot carry them.
  const inJson = fields.filter((one) => rest.upload === '' || !isFile(one));
  const json = schemas.component(`${name}Fields`, () => schemas.described(type, schemas.members(inJson, 'request')));
  // Generated clients usually send the first media type that the document lists.
  return { required, content: { 'application/json': { schema: json, ...example }, ...form } };
}

/** Describes the form that the gateway reads for a method (libs/rest/src/endpoint/form.ts). */
function formOf(name: string, type: DescMessage, fields: readonly DescField[], schemas: Schemas): Media {
  const required = fields.filter((field) => fieldRules(field).required).map(({ jsonName }) => jsonName);
  // With `form_flatten`, each member of the message may also have its own part.
  const parts = fields.flatMap((field) => [field, ...(fieldRules(field).formFlatten ? field.message!.fields : [])]);
  const schema = schemas.component(name, () => schemas.described(type, {
    type: 'object',
    properties: Object.fromEntries(parts.map((part) => [part.jsonName, schemaOf(part, schemas)])),
    ...(required.length > 0 ? { required } : {}),
  }));
  const encoding = Object.fromEntries(parts.flatMap((part) => {
    const one = encodingOf(part);
    return one ? [[part.jsonName, one] as const] : [];
  }));
  return { schema, ...(Object.keys(encoding).length > 0 ? { encoding } : {}) };
}

function isFile({ message }: DescField): boolean {
  return message?.typeName === 'controlplane.File';
}

/** `format` is from OpenAPI 3.0. Many generators of clients need `format` to recognize a file. */
const file: Schema = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };

function schemaOf(field: DescField, schemas: Schemas): Schema {
  if (isFile(field)) {
    return schemas.described(field, field.fieldKind === 'list' ? { type: 'array', items: file } : file);
  }
  return schemas.described(field, schemas.value(valuesOf(field), 'request'));
}

/**
 * Returns how a form encodes a field; undefined for the usual encoding. Maps and messages are sent as JSON, except
 * files and timestamps. A list of other values has one part per item.
 */
function encodingOf(field: DescField): Encoding | undefined {
  if (isFile(field)) return { contentType: 'application/octet-stream' };
  const values = valuesOf(field);
  const isText = values.message === undefined || values.message.typeName === 'google.protobuf.Timestamp';
  if (!isText || values.fieldKind === 'map') return { contentType: 'application/json' };
  return values.fieldKind === 'list' ? { style: 'form', explode: true } : undefined;
}

/** Returns the list or map that a field with `flatten` wraps. Returns any other field unchanged. */
function valuesOf(field: DescField): DescField {
  const isFlat = fieldRules(field).flatten && field.message && field.fieldKind === 'message';
  return isFlat ? wrappedField(field.message) : field;
}
