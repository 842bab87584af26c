import type { IncomingHttpHeaders } from 'node:http';
import { Fault } from '@platform/faults';
import { type DescField, fieldRules, isFromHeaders, type Method } from '@platform/surface';
import type { Message, MessageDecoders } from '../json/decode-message.ts';
import { isObject } from '../json/free-form.ts';
import { malformed, parseDocument } from '../json/parse-document.ts';
import { documentRoot, Problems } from '../json/problems.ts';
import { type DecodeBody, validation } from './decode-body.ts';
import { compileFormFields, type FormFields } from './form-fields.ts';

export interface BodyRule {
  /**
   * Checks the type and the encoding of the body in the headers, before the body is read. Returns a fault (415), or
   * undefined if both are accepted.
   */
  refuseType(headers: IncomingHttpHeaders): Fault | undefined;
  readonly read: DecodeBody;
  /** How a multipart form is read; undefined if forms are not accepted. */
  readonly form: FormFields | undefined;
  /** The request field that a form fills. Undefined if a form fills the request itself, or if forms are refused. */
  readonly field: string | undefined;
}

/**
 * Compiles how a method reads its body; undefined for a method without a body.
 * @param pathFields fields that the path sets, so the body cannot set them
 * @throws Error if the method's options do not fit its request
 */
export function compileBody(
  method: Method, decoders: MessageDecoders, pathFields: ReadonlySet<string>,
): BodyRule | undefined {
  const { http, input, rest } = method;
  if (!http || http.body === '') return undefined;
  const field = http.body === '*' ? undefined : input.fields.find(({ name }) => name === http.body);
  if (http.body !== '*' && !field) {
    throw new Error(`${method.fullName}: its body is the field ${http.body}, which the request does not have`);
  }
  const message = field?.fieldKind === 'message' ? field.message : undefined;
  if (rest.multipart) {
    if (field && !message) throw new Error(`${method.fullName}: a form cannot fill the field ${field.name}`);
    const fields = message ? message.fields : input.fields.filter(({ name }) => !pathFields.has(name));
    return formBody(method, fields, decoders, field?.name);
  }
  if (!field) {
    const fields = input.fields.filter((one) => !pathFields.has(one.name) && !isFromHeaders(one));
    return onlyJson(jsonBody(membersReader(fields, decoders), !rest.bodyOptional));
  }
  if (http.rawBody) return { refuseType: refuseEncoding, read: rawBody(field), form: undefined, field: undefined };
  const optional = rest.bodyOptional && !fieldRules(field).required;
  return onlyJson(jsonBody(valueReader(field, decoders, optional), !optional));
}

/** Accepts a form and, unless `multipartOnly` is set, JSON. @param into the request field to fill, if any */
function formBody(
  { rest, fullName }: Method, fields: readonly DescField[], decoders: MessageDecoders, into: string | undefined,
): BodyRule {
  const form = compileFormFields(fields, decoders, { uploads: rest.upload !== '', where: fullName });
  const rule = (refuseType: BodyRule['refuseType'], other: DecodeBody): BodyRule => ({
    refuseType,
    read: (body, message) => (isForm(body.contentType) ? malformed('the form has no parts') : other(body, message)),
    form,
    field: into,
  });
  if (rest.multipartOnly) return rule(accept((type) => type === formType, formType), () => unsupported(formType));
  const uploaded = new Set([...form.files.values()].filter(({ isUploaded }) => isUploaded).map(({ name }) => name));
  const read = membersReader(fields, decoders, uploaded);
  const json = jsonBody((value, message, problems) => {
    read(value, into === undefined ? message : ((message[into] = {}) as Message), problems);
  }, !rest.bodyOptional);
  return rule(accept((type) => type === formType || isJson(type), `${formType} or application/json`), json);
}

function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

const isJson = (type: string): boolean => type === '' || /^(?:application\/json|[^/\s]+\/[^/\s]+\+json)$/.test(type);
const formType = 'multipart/form-data';

export function isForm(contentType: string | undefined): boolean {
  return mediaTypeOf(contentType) === formType;
}

function onlyJson(read: DecodeBody): BodyRule {
  return { refuseType: accept(isJson, 'application/json'), read, form: undefined, field: undefined };
}

function accept(accepts: (type: string) => boolean, names: string): BodyRule['refuseType'] {
  return (headers) => (accepts(mediaTypeOf(headers['content-type'])) ? refuseEncoding(headers) : unsupported(names));
}

function unsupported(accepted: string): Fault {
  return new Fault('UNSUPPORTED_MEDIA_TYPE', `the body must be ${accepted}`);
}

/** Compressed bodies are refused, because their decompressed size is unbounded. */
function refuseEncoding(headers: IncomingHttpHeaders): Fault | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return undefined;
  return new Fault('UNSUPPORTED_MEDIA_TYPE', 'the body must come without Content-Encoding');
}

type ReadDocument = (value: unknown, message: Message, problems: Problems) => void;

/** @param uploaded names of fields that only a form can fill */
function membersReader(
  fields: readonly DescField[], decoders: MessageDecoders, uploaded: ReadonlySet<string> = new Set(),
): ReadDocument {
  const members = decoders.members(fields.filter(({ name }) => !uploaded.has(name)));
  const files = fields.filter(({ name }) => uploaded.has(name));
  return (value, message, problems) => {
    if (!isObject(value)) return void problems.add(documentRoot, '', 'the body must be an object');
    members(value, message, documentRoot, problems);
    for (const { jsonName } of files) {
      const isGiven = Object.hasOwn(value, jsonName) && value[jsonName] !== null;
      if (isGiven) problems.add(documentRoot, jsonName, `must be a file in a ${formType} body`);
    }
  };
}

function valueReader(field: DescField, decoders: MessageDecoders, optional: boolean): ReadDocument {
  const decode = decoders.value(field);
  return (value, message, problems) => {
    if (value === null && optional) return;
    const decoded = value === null
      ? problems.add(documentRoot, '', 'the body is required')
      : decode(value, documentRoot, '', problems);
    if (decoded !== undefined) message[field.name] = decoded;
  };
}

function jsonBody(read: ReadDocument, needed: boolean): DecodeBody {
  return ({ bytes }, message) => {
    if (bytes.length === 0 && needed) return malformed('the request needs a body');
    const document = bytes.length === 0 ? { value: {} } : parseDocument(bytes);
    if (document instanceof Fault) return document;
    const problems = new Problems();
    read(document.value, message, problems);
    return validation(problems);
  };
}

function rawBody({ name }: DescField): DecodeBody {
  return ({ contentType, bytes }, message) => {
    message[name] = { content_type: contentType ?? '', data: bytes };
    return undefined;
  };
}
