import {
  type DescField, type DescMessage, fieldRules, integerRanges, knowsPresence, ScalarType,
} from '@platform/surface';
import * as fc from 'fast-check';
import type { Message } from '../src/json/decode-message.ts';
import { earliest, latest } from '../src/json/timestamp.ts';

const deepest = 3;

/** Text that a body may contain: no NUL and no lone surrogates. */
export const text = fc.string({ unit: 'binary', maxLength: 12 }).map((value) => value.replaceAll('\0', ''));
const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '', '0', 'toString'));

/**
 * Generates messages of a type, in the form of the wire codec. Omits values that the JSON encoder does not preserve,
 * such as nanoseconds and -0.
 */
export function arbitraryMessage(type: DescMessage, depth = 0): fc.Arbitrary<Message> {
  switch (type.typeName) {
    case 'google.protobuf.Timestamp':
      return fc.integer({ min: earliest, max: latest }).map((seconds) => ({ seconds }));
    case 'google.protobuf.Struct':
      return struct(deepest);
    case 'google.protobuf.ListValue':
      return list(deepest);
    case 'google.protobuf.Value':
      return value(deepest);
  }
  const members = type.fields
    .filter((field) => depth < deepest || !field.message)
    .map((field) => {
      const set = member(field, depth);
      return (fieldRules(field).required ? set : fc.option(set, { nil: undefined })).map(
        (given) => [field, given] as const,
      );
    });
  return fc.tuple(...members).map((fields) => {
    const message: Message = {};
    const chosen = new Set<unknown>();
    for (const [field, set] of fields) {
      if (set === undefined || (field.oneof && chosen.has(field.oneof))) continue;
      if (field.oneof) chosen.add(field.oneof);
      message[field.name] = set;
    }
    return message;
  });
}

function member(field: DescField, depth: number): fc.Arbitrary<unknown> {
  switch (field.fieldKind) {
    case 'list':
      return fc.array(element(field, depth), { maxLength: 3 });
    case 'map':
      return fc.uniqueArray(fc.record({ key: mapKey(field.mapKey), value: element(field, depth) }), {
        maxLength: 3,
        selector: (entry) => entry.key,
      });
    default:
      // A field with the JSON value null counts as absent (open-points 1.7), so the decoder would leave it out.
      return field.message?.typeName === 'google.protobuf.Value'
        ? value(deepest).filter((free) => !('null_value' in free))
        : element(field, depth);
  }
}

function element(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.message) return arbitraryMessage(field.message, depth + 1);
  if (field.enum) return fc.constantFrom(...field.enum.values.map(({ number }) => number));
  return scalar(field.scalar as ScalarType);
}

function mapKey(type: ScalarType): fc.Arbitrary<unknown> {
  return type === ScalarType.STRING ? key : scalar(type);
}

function scalar(type: ScalarType): fc.Arbitrary<unknown> {
  const positiveZero = (number: number) => number + 0;
  switch (type) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.BYTES:
      return fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes));
    case ScalarType.DOUBLE:
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map(positiveZero);
    case ScalarType.FLOAT:
      return fc.float({ noNaN: true, noDefaultInfinity: true }).map(positiveZero);
    default: {
      const { least, most } = integerRanges[type]!;
      return fc.maxSafeInteger().map((number) => positiveZero(Math.min(most, Math.max(least, number))));
    }
  }
}

function value(depth: number): fc.Arbitrary<Message> {
  const leaves = [
    fc.constant({ null_value: 0 }),
    scalar(ScalarType.DOUBLE).map((number) => ({ number_value: number })),
    text.map((string) => ({ string_value: string })),
    fc.boolean().map((flag) => ({ bool_value: flag })),
  ];
  if (depth === 0) return fc.oneof(...leaves);
  return fc.oneof(
    ...leaves,
    struct(depth - 1).map((nested) => ({ struct_value: nested })),
    list(depth - 1).map((nested) => ({ list_value: nested })),
  );
}

function struct(depth: number): fc.Arbitrary<Message> {
  const entry = fc.record({ key, value: value(depth) });
  return fc.uniqueArray(entry, { maxLength: 3, selector: (given) => given.key }).map((fields) => ({ fields }));
}

function list(depth: number): fc.Arbitrary<Message> {
  return fc.array(value(depth), { maxLength: 3 }).map((values) => ({ values }));
}

/**
 * Normalizes a message, so that equal messages have the same form. For example, it removes the default values of fields
 * without presence, and sorts maps.
 */
export function canonical(type: DescMessage, message: Message): Message {
  const result: Message = {};
  for (const field of type.fields) {
    if (!Object.hasOwn(message, field.name)) continue;
    const given = canonicalValue(field, message[field.name]);
    if (knowsPresence(field) || !isDefault(given)) result[field.name] = given;
  }
  return result;
}

function canonicalValue(field: DescField, given: unknown): unknown {
  if (field.fieldKind === 'list') return (given as unknown[]).map((item) => canonicalElement(field, item));
  if (field.fieldKind !== 'map') return canonicalElement(field, given);
  const entries = (given as { key?: unknown; value?: unknown }[]).map((entry) => {
    const keyGiven = Object.hasOwn(entry, 'key') ? canonicalScalar(entry.key) : undefined;
    const valueGiven = Object.hasOwn(entry, 'value') ? canonicalElement(field, entry.value) : undefined;
    const isSet = valueGiven !== undefined && (field.message || !isDefault(valueGiven));
    const keyText = keyGiven === undefined || isDefault(keyGiven) ? '' : String(keyGiven);
    return [keyText, isSet ? valueGiven : field.message ? {} : undefined] as const;
  });
  return entries.sort(([one], [other]) => (one < other ? -1 : 1));
}

function canonicalElement(field: DescField, given: unknown): unknown {
  return field.message ? canonical(field.message, given as Message) : canonicalScalar(given);
}

function canonicalScalar(given: unknown): unknown {
  if (given instanceof Uint8Array) return Buffer.from(given).toString('hex');
  if (typeof given !== 'object' || given === null) return given;
  const { high, low } = given as { high: number; low: number };
  return high * 4_294_967_296 + (low >>> 0);
}

function isDefault(given: unknown): boolean {
  return given === '' || given === 0 || given === false || (Array.isArray(given) && given.length === 0);
}
