import busboy from 'busboy';
import { Fault } from '@platform/rpc';
import { type DescField, fieldRules, wrappedField } from '@platform/surface';
import type { Message, MessageDecoders } from '../json/decode-message.ts';
import { malformed, parseDocument } from '../json/parse-document.ts';
import { documentRoot, Place, Problems } from '../json/problems.ts';
import { type RawBody, type DecodeBody, validation } from './decode-body.ts';
import { textKindOf } from './text-values.ts';

/** Largest file in a form; the form as a whole may be a little larger (open-points 1.9). */
const largestFile = 10 * 1024 * 1024;
/** More parts than any form of the API has. */
const mostParts = 1_000;

/** A file, or a text. */
interface Part {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer | string;
}

type ReadParts = (parts: readonly Part[], message: Message, problems: Problems) => Fault | undefined;

/**
 * Compiles how a multipart form is read: each field is a part of the name its JSON has. Texts are read as in a query, a
 * list from repeated parts or from one part with a JSON array, a message from a part with JSON, a `platform.File` from
 * the file. What does not fit is 422, as in JSON.
 */
export function compileForm(fields: readonly DescField[], decoders: MessageDecoders, where: string): DecodeBody {
  const readers = new Map(fields.map((field) => [field.jsonName, partsReader(field, decoders, where)]));
  const required = fields.filter((field) => fieldRules(field).required);
  return async (body, message) => {
    const parts = await splitForm(body);
    if (parts instanceof Fault) return parts;
    const problems = new Problems();
    for (const [name, given] of parts) {
      const fault = readers.get(name)?.(given, message, problems);
      if (fault) return fault;
    }
    for (const { jsonName } of required) {
      if (!parts.has(jsonName)) problems.add(documentRoot, jsonName, 'is required');
    }
    return validation(problems);
  };
}

function partsReader(field: DescField, decoders: MessageDecoders, where: string): ReadParts {
  const { name, jsonName } = field;
  if (field.message?.typeName === 'platform.File') {
    if (field.fieldKind === 'map') throw new Error(`${where}: ${name} cannot be a map of files`);
    const isList = field.fieldKind === 'list';
    return (parts, message, problems) => {
      const files = parts.map(({ filename, contentType, content }) => ({
        filename,
        content_type: contentType,
        content: Buffer.from(content as string),
      }));
      if (files.some(({ content }) => content.length > largestFile)) {
        return new Fault('BODY_TOO_LARGE', `a file may have up to ${largestFile} bytes`);
      }
      if (!isList && parts.length > 1) return void problems.add(documentRoot, jsonName, 'may be given once');
      message[name] = isList ? files : files[0];
      return undefined;
    };
  }
  const flattened = fieldRules(field).flatten && field.message && field.fieldKind === 'message';
  const values = flattened ? wrappedField(field.message) : field;
  const decode = decoders.value(field);
  const text = textKindOf(values, 'any');
  const isList = values.fieldKind === 'list';
  const json: ReadParts = ([part], message, problems) => {
    const document = parseDocument(Buffer.from(part!.content as string));
    if (document instanceof Fault) return void problems.add(documentRoot, jsonName, 'must be JSON');
    const value = document.value === null ? undefined : decode(document.value, documentRoot, jsonName, problems);
    if (value !== undefined) message[name] = value;
    return undefined;
  };
  return (parts, message, problems) => {
    const texts = parts.map(({ content }) => textOf(content));
    if (texts.includes(undefined)) return malformed(`the part ${jsonName} is not UTF-8, or holds NUL`);
    if (!isList && parts.length > 1) return void problems.add(documentRoot, jsonName, 'may be given once');
    if (!text || (isList && parts.length === 1 && texts[0]!.trimStart().startsWith('[')))
      return json(parts, message, problems);
    const at = new Place(documentRoot, jsonName);
    const read = texts.map((given, index) => {
      const value = text.read(given!);
      if (value !== undefined) return value;
      return isList
        ? problems.add(at, index, `must be ${text.accepts}`)
        : problems.add(documentRoot, jsonName, `must be ${text.accepts}`);
    });
    if (!read.includes(undefined)) message[name] = !isList ? read[0] : flattened ? { [values.name]: read } : read;
    return undefined;
  };
}

/** The text of a part. The parser puts U+FFFD in the place of what is no UTF-8, so a text that holds one is refused. */
function textOf(content: Buffer | string): string | undefined {
  const text = content.toString();
  return text.includes('\0') || text.includes('\ufffd') ? undefined : text;
}

/** The parts of a form by name, in their order. */
function splitForm({ contentType = '', bytes }: RawBody): Promise<Map<string, Part[]> | Fault> {
  return new Promise((resolve) => {
    const broken = () => resolve(malformed('the body is no complete multipart form'));
    const found = new Map<string, Part[]>();
    const add = (name: string | undefined, part: Part) => {
      const known = name === undefined ? undefined : found.get(name);
      if (known) known.push(part);
      else if (name !== undefined) found.set(name, [part]);
    };
    let parser: busboy.Busboy;
    try {
      const limits = { parts: mostParts, fieldSize: bytes.length };
      parser = busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', limits });
    } catch {
      broken();
      return;
    }
    parser.on('field', (name: string | undefined, content, { mimeType }) => {
      add(name, { filename: '', contentType: mimeType, content });
    });
    parser.on('file', (name: string | undefined, stream, { filename, mimeType }) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', broken);
      stream.on('end', () => {
        add(name, {
          filename: (filename as string | undefined) ?? '',
          contentType: mimeType,
          content: Buffer.concat(chunks),
        });
      });
    });
    parser.on('partsLimit', () => resolve(malformed(`a form may have up to ${mostParts} parts`)));
    parser.on('error', broken);
    parser.on('close', () => resolve(found));
    parser.end(bytes);
  });
}
