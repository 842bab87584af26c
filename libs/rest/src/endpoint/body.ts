import type { IncomingHttpHeaders } from 'node:http';
import { Fault } from '@platform/rpc';
import { type DescField, fieldRules, type Method } from '@platform/surface';
import type { Message, MessageDecoders } from '../json/decode-message.ts';
import { isObject } from '../json/free-form.ts';
import { malformed, parseDocument } from '../json/parse-document.ts';
import { documentRoot, Problems } from '../json/problems.ts';
import { compileForm } from './form.ts';
import { type DecodeBody, validation } from './decode-body.ts';

/** How a method takes its body. */
export interface BodyRule {
  /** Decided before the body is read: 415, or undefined when a body of this type is taken. */
  refuseType(headers: IncomingHttpHeaders): Fault | undefined;
  readonly read: DecodeBody;
  /** Multipart is taken, with its larger limit. */
  readonly multipart: boolean;
}

/**
 * Compiles how a bound method reads its body; undefined when it has none. `pathFields` are taken from the path and so
 * never from the body.
 */
export function compileBody(
  method: Method,
  decoders: MessageDecoders,
  pathFields: ReadonlySet<string>,
): BodyRule | undefined {
  const { http, input, rest } = method;
  if (!http || http.body === '') return undefined;
  if (http.body === '*') {
    const fields = input.fields.filter(({ name }) => !pathFields.has(name));
    const json = jsonBody(membersReader(fields, decoders), !rest.bodyOptional);
    if (!rest.multipart) return onlyJson(json);
    const form = compileForm(fields, decoders, method.fullName);
    return rest.multipartOnly ? onlyForm(form) : formOrJson(form, json);
  }
  const field = input.fields.find(({ name }) => name === http.body);
  if (!field) throw new Error(`${method.fullName}: its body is ${http.body}, which the request does not have`);
  if (rest.multipart) throw new Error(`${method.fullName}: a multipart body is the request itself (body: "*")`);
  if (field.message?.typeName === 'google.api.HttpBody' && field.fieldKind === 'message') {
    return { refuseType: refuseEncoding, read: rawBody(field), multipart: false };
  }
  const optional = rest.bodyOptional && !fieldRules(field).required;
  return onlyJson(jsonBody(valueReader(field, decoders, optional), !optional));
}

/** Content type without parameters, in lower case. */
function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

const jsonType = /^(?:application\/json|[^/\s]+\/[^/\s]+\+json)$/;
const formType = 'multipart/form-data';

function onlyJson(read: DecodeBody): BodyRule {
  return {
    refuseType: (headers) => {
      const type = mediaTypeOf(headers['content-type']);
      return type === '' || jsonType.test(type) ? refuseEncoding(headers) : unsupported('application/json');
    },
    read,
    multipart: false,
  };
}

function formOrJson(form: DecodeBody, json: DecodeBody): BodyRule {
  return {
    refuseType: (headers) => {
      const type = mediaTypeOf(headers['content-type']);
      const isTaken = type === '' || type === formType || jsonType.test(type);
      return isTaken ? refuseEncoding(headers) : unsupported(`${formType} or application/json`);
    },
    read: (body, message) => (mediaTypeOf(body.contentType) === formType ? form : json)(body, message),
    multipart: true,
  };
}

function onlyForm(read: DecodeBody): BodyRule {
  return {
    refuseType: (headers) => {
      return mediaTypeOf(headers['content-type']) === formType ? refuseEncoding(headers) : unsupported(formType);
    },
    read: (body, message) => (mediaTypeOf(body.contentType) === formType ? read(body, message) : unsupported(formType)),
    multipart: true,
  };
}

function unsupported(accepted: string): Fault {
  return new Fault('UNSUPPORTED_MEDIA_TYPE', `the body must be ${accepted}`);
}

/** A compressed body could hold any number of bytes; none is taken. */
function refuseEncoding(headers: IncomingHttpHeaders): Fault | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding.toLowerCase() === 'identity'
    ? undefined
    : new Fault('UNSUPPORTED_MEDIA_TYPE', 'the body must come without Content-Encoding');
}

type ReadDocument = (value: unknown, message: Message, problems: Problems) => void;

function membersReader(fields: readonly DescField[], decoders: MessageDecoders): ReadDocument {
  const members = decoders.members(fields);
  return (value, message, problems) => {
    if (isObject(value)) members(value, message, documentRoot, problems);
    else problems.add(documentRoot, '', 'the body must be an object');
  };
}

function valueReader(field: DescField, decoders: MessageDecoders, optional: boolean): ReadDocument {
  const decode = decoders.value(field);
  return (value, message, problems) => {
    if (value === null && optional) return;
    const decoded =
      value === null
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

/** Any body of any type, handed on as it is. */
function rawBody({ name }: DescField): DecodeBody {
  return ({ contentType, bytes }, message) => {
    message[name] = { content_type: contentType ?? '', data: bytes };
    return undefined;
  };
}
