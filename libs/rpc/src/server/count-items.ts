import { RequestReader } from '@platform/proto/request-reader';
import {
  type DescField, type DescMessage, fieldRules, type ItemLimit, itemLimit, ScalarType, wrappedField,
} from '@platform/surface';
import { Fault, tooManyItems } from '@platform/faults';
import type { WireCall } from './wire-call.ts';

/** Maximum number of values in a request of a direct caller, as in a JSON body (ADR 0113). */
const mostValues = 20_000;
/** How often one message may contain the same field, if the field is not a list. Each occurrence is decoded. */
const mostTimes = 100;
/** Maximum nesting of messages: enough for JSON of 64 levels (open-points 1.9), with three messages per level. */
const deepest = 256;
/** The wire type of values that begin with their length: texts, bytes, messages and packed numbers. */
const lengthDelimited = 2;
/** The wire type that begins a group. No message of the API has groups. */
const startGroup = 3;

/** The maximum and current number of values in a request. All messages of a stream share one allowance. */
export interface Allowance {
  readonly most: number;
  values: number;
}

export function allowanceOf({ fromService }: Pick<WireCall, 'fromService'>): Allowance {
  return { most: fromService ? Infinity : mostValues, values: 0 };
}

/**
 * Compiles a counter of the values and list items of a message. The counter does not decode the message, because
 * decoding can take a hundred times the memory (ADR 0150). It returns undefined if no limit is exceeded. If a list is
 * too long, `field` is the field number in {@link LongList}. If the message has too many values, `field` is undefined.
 * The counter throws an Error for a malformed message.
 */
export function itemCounter(
  type: DescMessage,
): (message: Uint8Array, left: Allowance) => { fault: Fault; field: number | undefined } | undefined {
  const shape = shapeOf(type, new Map());
  return (message, left) => {
    const found = countIn({ reader: new RequestReader(message), left }, shape, message.length, 0);
    if (found === undefined) return undefined;
    if (found === 'values') {
      return { fault: new Fault('BODY_TOO_LARGE', `a request may have up to ${mostValues} values`), field: undefined };
    }
    const { path, limit, field } = found;
    return { fault: tooManyItems(path, limit.most, limit.reason), field };
  };
}

/** Returns the message without one of its fields, so that the access rule can be applied to the other fields. */
export function withoutField(message: Uint8Array, field: number): Uint8Array {
  const reader = new RequestReader(message);
  const kept: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [number, type] = reader.tag();
    reader.skip(type, number);
    if (number !== field) kept.push(message.subarray(start, reader.pos));
  }
  return Buffer.concat(kept);
}

interface Shape {
  fields: ReadonlyMap<number, Step>;
}

interface Step {
  readonly path: string;
  readonly limit: ItemLimit | undefined;
  /** Whether the field is a list or map. If so, its items are counted, and paths contain the index of an item. */
  readonly isList: boolean;
  readonly inner: Shape | undefined;
  readonly packed: 'varint' | 4 | 8 | undefined;
}

/** A list that is too long. `field`: number of the list field, or of the outermost field that contains the list. */
interface LongList {
  readonly path: string;
  readonly limit: ItemLimit;
  readonly field: number;
}

/** Counts the values up to `end`. Continues after a list that is too long, because other fields are still decoded. */
function countIn(
  scan: { readonly reader: RequestReader; readonly left: Allowance }, { fields }: Shape, end: number, depth: number,
): LongList | 'values' | undefined {
  const { reader, left } = scan;
  if (depth > deepest) throw new RangeError(`the message is nested deeper than ${deepest} levels`);
  const counts = new Map<number, number>();
  let tooLong: LongList | undefined;
  while (reader.pos < end) {
    const [field, type] = reader.tag();
    if ((type as number) === startGroup) throw new RangeError(`field ${field} is a group`);
    const step = fields.get(field);
    const isDelimited = (type as number) === lengthDelimited;
    const start = reader.pos;
    reader.skip(type, field);
    const after = reader.pos;
    const items = step !== undefined && isDelimited ? itemsIn(reader, step, start, after) : 1;
    left.values += Math.max(items, 1);
    if (left.values > left.most) return 'values';
    if (step === undefined) continue;
    const index = counts.get(field) ?? 0;
    counts.set(field, index + items);
    const { path, limit, isList } = step;
    if (!isList && index === mostTimes) throw new RangeError(`field ${field} is given more than ${mostTimes} times`);
    if (limit !== undefined && index + items > limit.most) tooLong ??= { path, limit, field };
    if (step.inner === undefined || !isDelimited) continue;
    reader.pos = start;
    reader.uint32();
    const found = countIn(scan, step.inner, after, depth + 1);
    if (found === 'values') return found;
    if (found !== undefined) tooLong ??= { ...found, path: joined(step, index, found.path), field };
    reader.pos = after;
  }
  return tooLong;
}

function itemsIn(reader: RequestReader, { packed }: Step, start: number, after: number): number {
  if (packed === undefined) return 1;
  reader.pos = start;
  const bytes = reader.bytes();
  reader.pos = after;
  if (packed !== 'varint') return bytes.length / packed;
  let items = 0;
  // Only the last byte of a varint is below 0x80.
  for (const byte of bytes) if (byte < 0x80) items += 1;
  return items;
}

/** Returns the path of a list inside a field. A list in a wrapper has the path of the wrapper. */
function joined({ path, isList }: Step, index: number, below: string): string {
  if (below === '') return path;
  return isList ? `${path}[${index}].${below}` : `${path}.${below}`;
}

function shapeOf(type: DescMessage, known: Map<DescMessage, Shape>): Shape {
  const found = known.get(type);
  if (found !== undefined) return found;
  // The shape is registered before its fields are read, because a message may contain itself.
  const shape: Shape = { fields: new Map() };
  known.set(type, shape);
  shape.fields = new Map(type.fields.map((field) => [field.number, stepOf(field, known)]));
  return shape;
}

function stepOf(field: DescField, known: Map<DescMessage, Shape>): Step {
  const isList = field.fieldKind === 'list' || field.fieldKind === 'map';
  const about = { path: field.jsonName, isList, packed: field.fieldKind === 'list' ? packingOf(field) : undefined };
  if (field.fieldKind === 'message' && fieldRules(field).flatten) {
    const list = wrappedField(field.message);
    const inner = { ...stepOf(list, known), path: '' };
    const limit = itemLimit(field) ?? inner.limit;
    return { ...about, limit: undefined, inner: { fields: new Map([[list.number, { ...inner, limit }]]) } };
  }
  const inner = field.fieldKind === 'map' ? entryOf(field, known) : field.message && shapeOf(field.message, known);
  return { ...about, limit: isList ? itemLimit(field) : undefined, inner };
}

/** How packed numbers are encoded: `varint`, or bytes per number. Undefined for items that are never packed. */
function packingOf({ message, scalar }: DescField): Step['packed'] {
  if (message !== undefined || scalar === ScalarType.STRING || scalar === ScalarType.BYTES) return undefined;
  return scalar === undefined ? 'varint' : (fixedBytes[scalar] ?? 'varint');
}

const fixedBytes: Partial<Record<ScalarType, 4 | 8>> = {
  [ScalarType.DOUBLE]: 8, [ScalarType.FIXED64]: 8, [ScalarType.SFIXED64]: 8,
  [ScalarType.FLOAT]: 4, [ScalarType.FIXED32]: 4, [ScalarType.SFIXED32]: 4,
};

/** The shape of a map entry. It has only the value (field 2), because the key contains no list. */
function entryOf(field: DescField, known: Map<DescMessage, Shape>): Shape {
  const inner = field.message && shapeOf(field.message, known);
  return { fields: new Map([[2, { path: 'value', limit: undefined, isList: false, inner, packed: undefined }]]) };
}
