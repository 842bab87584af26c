import { type DescField, type DescMessage, ScalarType } from '@platform/surface';
import { delimited, integer, tag } from '../../surface/wire-bytes.ts';
import { choice, type Shape, upTo } from './shape.ts';

/** How many nested messages to search for fields. */
const deepestPlace = 6;
const empty = Buffer.alloc(0);

/** The most bytes of an additional filling in front, enough for a list that is too long. */
const shortFilling = 16 * 1024;

/**
 * Returns fields in the shape, to append to a message. They fill a field of the message, or of any message in it. If
 * `shape.last` is not 0, a short filling of another field comes first.
 */
export function wireFilling(type: DescMessage, shape: Shape): Buffer {
  const filling = within(type, shape, shape.place, 0);
  if (shape.last === 0) return filling;
  const short = within(type, { ...shape, size: Math.min(shape.size, shortFilling) }, shape.last, 0);
  return Buffer.concat([short, filling]);
}

function within(type: DescMessage, shape: Shape, chooser: number, level: number): Buffer {
  const places: readonly (DescField | 'unknown')[] = ['unknown', ...type.fields, ...type.fields];
  const { item: field, rest } = choice(places, chooser);
  if (field === 'unknown') return choice(unknowns, shape.kind).item(shape);
  if (!field.message || level === deepestPlace || rest < 0.4) return manyOf(field, shape);
  return wrapped(field, within(field.message, shape, (rest - 0.4) / 0.6, level + 1));
}

/** A field that is repeated many times, or has one long value. A field that is not a list may be repeated, too. */
function manyOf(field: DescField, shape: Shape): Buffer {
  const { size, parts, kind } = shape;
  const items = itemsOf(field, shape);
  const { item, rest } = choice(items, parts[0]!);
  if (rest < 0.3) return equal(item, size);
  if (rest < 0.6) return equal(Buffer.concat(parts.map((part) => choice(items, part).item)), size);
  if (field.message || field.fieldKind === 'map') {
    return different((index) => wrapped(field, scalarsOf(field.message, index), index), size);
  }
  const scalar = scalarOf(field);
  if (isText(scalar)) {
    const text = choice(texts, kind).item;
    return rest < 0.8
      ? delimited(field.number, equal(Buffer.from(text === '' ? 'x' : text), size))
      : different((index) => delimited(field.number, Buffer.from(`${text}${index}`)), size);
  }
  return rest < 0.8
    ? delimited(field.number, packed(scalar, size))
    : different((index) => numberBytes(field.number, scalar, BigInt(index)), size);
}

const texts = ['', 'a', ' ', 'é', '😀', '1b671a64-40d5-491e-99b0-da01ff1f3341', 'a@b.example', '\0', 'x'.repeat(300)];
const numbers = [0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n];

/** Small values of a field, each with its tag. */
function itemsOf(field: DescField, { depth }: Shape): Buffer[] {
  if (field.fieldKind === 'map') return [empty, scalarsOf(field.message, 1)].map((value) => wrapped(field, value));
  if (field.message) {
    const inner = [empty, scalarsOf(field.message, 0), scalarsOf(field.message, 1), nested(field.message, depth)];
    return [...inner, equal(tag(groupNumber, 0), 2)].map((value) => delimited(field.number, value));
  }
  const scalar = scalarOf(field);
  if (isText(scalar)) {
    const bytes = [...texts.map((text) => Buffer.from(text)), Buffer.from([0xff]), Buffer.from([0xed, 0xa0, 0x80])];
    return bytes.map((value) => delimited(field.number, value));
  }
  return numbers.map((value) => numberBytes(field.number, scalar, value));
}

/** A message with a value in each scalar field. */
function scalarsOf(type: DescMessage | undefined, value: number): Buffer {
  return Buffer.concat((type?.fields ?? []).flatMap((field) => {
    if (field.message) return [];
    const scalar = scalarOf(field);
    if (isText(scalar)) return [delimited(field.number, Buffer.from(`x${value}`))];
    return [numberBytes(field.number, scalar, BigInt(value))];
  }));
}

/** A message nested in itself this many times; empty if it cannot contain itself, directly or indirectly. */
function nested(type: DescMessage, depth: number): Buffer {
  const cycle = cycleOf(type, type, []);
  let message: Buffer = empty;
  for (let level = 0; cycle !== undefined && level < depth; level += 1) {
    for (const field of cycle.toReversed()) message = wrapped(field, message);
  }
  return message;
}

/** The fields on the path from a message to the next one of its type: `Struct` to its values, to `Struct`. */
function cycleOf(type: DescMessage, to: DescMessage, above: readonly DescMessage[]): DescField[] | undefined {
  for (const field of type.fields) {
    if (field.message === undefined || above.includes(field.message)) continue;
    const rest = field.message === to ? [] : cycleOf(field.message, to, [...above, field.message]);
    if (rest !== undefined) return [field, ...rest];
  }
  return undefined;
}

/** A message as a value of a field; in a map, under a numbered key. */
function wrapped({ number, fieldKind }: DescField, message: Buffer, index = 0): Buffer {
  if (fieldKind !== 'map') return delimited(number, message);
  return delimited(number, Buffer.concat([delimited(1, Buffer.from(`k${index}`)), delimited(2, message)]));
}

const groupNumber = 2_000;
const [startGroup, endGroup] = [tag(groupNumber, 3), tag(groupNumber, 4)];

/** Fields with numbers that the message does not define. */
const unknowns: readonly ((shape: Shape) => Buffer)[] = [
  ({ size }) => equal(integer(groupNumber, 0n), size),
  ({ size }) => equal(integer(groupNumber, -1n), size),
  ({ size }) => equal(delimited(groupNumber, empty), size),
  ({ size }) => different((index) => delimited(groupNumber + index, empty), size),
  ({ size }) => equal(Buffer.concat([startGroup, endGroup]), size),
  ({ size, depth }) => equal(Buffer.concat([equal(startGroup, 2 * depth), equal(endGroup, 2 * depth)]), size),
  ({ size }) => Buffer.concat([equal(startGroup, size / 2), equal(endGroup, size / 2)]),
  ({ size }) => equal(startGroup, size),
  ({ size }) => delimited(groupNumber, Buffer.alloc(size)),
  ({ size }) => equal(Buffer.concat([tag(groupNumber, 5), Buffer.alloc(4)]), size),
  // An integer that never ends.
  ({ size }) => Buffer.alloc(size, 0x80),
];

const isText = (scalar: ScalarType) => scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
const scalarOf = (field: DescField) => field.scalar ?? ScalarType.INT32;

const fixed: Partial<Record<ScalarType, 4 | 8>> = {
  [ScalarType.DOUBLE]: 8, [ScalarType.FIXED64]: 8, [ScalarType.SFIXED64]: 8,
  [ScalarType.FLOAT]: 4, [ScalarType.FIXED32]: 4, [ScalarType.SFIXED32]: 4,
};

function numberBytes(number: number, scalar: ScalarType, value: bigint): Buffer {
  const bytes = fixed[scalar];
  if (bytes === undefined) return integer(number, value);
  return Buffer.concat([tag(number, bytes === 8 ? 1 : 5), Buffer.alloc(bytes, Number(value & 0xffn))]);
}

/** Packed numbers: of one byte each, or of the full size of the type. */
const packed = (scalar: ScalarType, size: number) => Buffer.alloc(size - size % (fixed[scalar] ?? 1), 1);

/** Repeats the bytes up to about this length. */
function equal(bytes: Buffer, size: number): Buffer {
  return bytes.length === 0 ? empty : Buffer.alloc(Math.max(1, Math.floor(size / bytes.length)) * bytes.length, bytes);
}

/** Items beyond this number repeat earlier ones: making a million takes longer than reading them. */
const mostDifferent = 5_000;

const different = (bytesOf: (index: number) => Buffer, size: number) =>
  equal(Buffer.concat(upTo(size, bytesOf, mostDifferent)), size);
