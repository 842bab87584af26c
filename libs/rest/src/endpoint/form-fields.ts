import { type DescField, fieldRules, wrappedField } from '@platform/surface';
import type { Message, MessageDecoders } from '../json/decode-message.ts';
import { parseDocument } from '../json/parse-document.ts';
import { documentRoot, Place, type Problems } from '../json/problems.ts';
import { textKindOf } from './text-values.ts';

export interface FileField {
  readonly name: string;
  readonly jsonName: string;
  readonly isList: boolean;
  /**
   * Whether the content is passed on as it arrives (`controlplane.Rest.upload`). The message then contains a handle in
   * place of the content.
   */
  readonly isUploaded: boolean;
}

/** How the parts of a form become fields; compiled once per method. */
export interface FormFields {
  readonly files: ReadonlyMap<string, FileField>;
  takesText(partName: string): boolean;
  /**
   * Reads the texts into the message. The message already contains the files.
   * @param texts by part name, in order; undefined for a text that is not UTF-8 or has NUL
   */
  read(texts: ReadonlyMap<string, readonly (string | undefined)[]>, message: Message, problems: Problems): void;
}

/** Returns the value of a field. Returns undefined for JSON null, and for invalid texts, which become a problem. */
type ReadTexts = (texts: readonly string[], up: Place, step: string, problems: Problems) => unknown;

interface TextPart {
  readonly part: string;
  readonly field: DescField;
  /** The field with `form_flatten` whose message contains `field`; undefined for a direct field of the form. */
  readonly within?: DescField;
  readonly read: ReadTexts;
}

/**
 * Compiles the fields of a form (open-points 5.1). The name of a part is the JSON name of its field. Values are read as
 * in a query. Integers are an exception: they are read as in JSON. A value that has no text form, such as a map, is
 * given as JSON. A list is given as one part for each item, or as one part with a JSON array. If a field has
 * `form_flatten`, a part may also set one member of its message.
 * @throws Error if no form can have these fields
 */
export function compileFormFields(
  fields: readonly DescField[], decoders: MessageDecoders, { uploads, where }: { uploads: boolean; where: string },
): FormFields {
  const files = new Map<string, FileField>();
  const parts: TextPart[] = [];
  for (const field of fields) {
    const { name, jsonName } = field;
    if (field.message?.typeName === 'controlplane.File') {
      if (field.fieldKind === 'map') throw new Error(`${where}: ${name} cannot be a map of files`);
      const isList = field.fieldKind === 'list';
      if (isList && uploads) throw new Error(`${where}: ${name} cannot be a list of uploads`);
      files.set(jsonName, { name, jsonName, isList, isUploaded: uploads });
    } else {
      parts.push({ part: jsonName, field, read: textsReader(field, decoders) });
    }
  }
  // Later reads win: names with brackets override JSON, and flat names override both.
  for (const spell of [bracketed, flat]) {
    for (const field of fields.filter((candidate) => fieldRules(candidate).formFlatten)) {
      for (const member of membersOf(field, where)) {
        parts.push({ part: spell(field, member), field: member, within: field, read: textsReader(member, decoders) });
      }
    }
  }
  const names = [...files.keys(), ...parts.map(({ part }) => part)];
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw new Error(`${where}: two fields use the part ${double} of the form`);
  const taken = new Set(parts.map(({ part }) => part));
  const required = fields.filter((field) => fieldRules(field).required);

  return {
    files,
    takesText: (name) => taken.has(name),
    read: (texts, message, problems) => {
      const given = new Set(Object.keys(message));
      for (const { part, field, within, read } of parts) {
        const values = texts.get(part);
        if (values === undefined) continue;
        given.add((within ?? field).name);
        const up = within ? new Place(documentRoot, within.jsonName) : documentRoot;
        const value = values.every((text) => text !== undefined)
          ? read(values, up, field.jsonName, problems)
          : problems.add(up, field.jsonName, 'must be UTF-8 without NUL');
        if (value === undefined) continue;
        const target = within ? ((message[within.name] ??= {}) as Message) : message;
        target[field.name] = value;
      }
      for (const { name, jsonName } of required) {
        if (!given.has(name)) problems.add(documentRoot, jsonName, 'is required');
      }
    },
  };
}

const bracketed = (field: DescField, member: DescField): string => `${field.jsonName}[${member.jsonName}]`;
const flat = (_: DescField, member: DescField): string => member.jsonName;

function membersOf(field: DescField, where: string): readonly DescField[] {
  if (!field.message || field.fieldKind !== 'message') {
    throw new Error(`${where}: ${field.name} has form_flatten, but is not a message`);
  }
  const required = field.message.fields.find((member) => fieldRules(member).required);
  if (required) throw new Error(`${where}: ${field.name} has form_flatten, but its field ${required.name} is required`);
  return field.message.fields;
}

function textsReader(field: DescField, decoders: MessageDecoders): ReadTexts {
  const isWrapper = fieldRules(field).flatten && field.message !== undefined && field.fieldKind === 'message';
  const values = isWrapper ? wrappedField(field.message!) : field;
  const isList = values.fieldKind === 'list';
  const kind = textKindOf(values, 'number');
  const decode = decoders.value(field);
  const parse = (text: string, up: Place, step: string, problems: Problems): { value: unknown } | undefined => {
    const document = parseDocument(Buffer.from(text));
    if ('value' in document) return document;
    const limits = 'up to 20,000 values, 64 levels and 1,000 integers of over 15 digits';
    return problems.add(up, step, `must be JSON of ${limits}, without NUL or half surrogate pairs`);
  };
  const readJson = (text: string, up: Place, step: string, problems: Problems): unknown => {
    const document = parse(text, up, step, problems);
    return document === undefined || document.value === null ? undefined : decode(document.value, up, step, problems);
  };
  /** Reads each text as an item. Parses all texts together, because the limit on values applies to the whole list. */
  const readItems: ReadTexts = (texts, up, step, problems) => {
    const items = parse(`[${texts.join(',')}]`, up, step, problems)?.value as unknown[] | undefined;
    if (items === undefined) return undefined;
    if (items.length !== texts.length) return problems.add(up, step, 'must be JSON, one item in each part');
    return decode(items, up, step, problems);
  };
  return (texts, up, step, problems) => {
    if (!isList && texts.length > 1) return problems.add(up, step, 'may be given once');
    const [first = ''] = texts;
    const isWhole = texts.length === 1 && (first.trimStart().startsWith('[') || (!kind && first.trim() === 'null'));
    if (isList ? isWhole : !kind) return readJson(first, up, step, problems);
    if (!kind) return readItems(texts, up, step, problems);
    if (!isList) return kind.read(first) ?? problems.add(up, step, `must be ${kind.accepts}`);
    const at = new Place(up, step);
    const list = texts.map((text, index) => kind.read(text) ?? problems.add(at, index, `must be ${kind.accepts}`));
    if (list.includes(undefined)) return undefined;
    return isWrapper ? { [values.name]: list } : list;
  };
}
