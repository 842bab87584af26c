import { type DescField, type DescMessage, ScalarType } from '@platform/surface';
import type { SeededRandom } from '@platform/testing';

/** Values that are likely to cause errors, to send among random ones. */
export interface Pool {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

/** Texts that break careless code: NUL, half of a surrogate pair, quotes, a path, another script, a long text. */
const hostileTexts = [
  ...['', ' ', '\0', 'a\0b', "'; drop table account; --", '../../etc/passwd', '%00', '{"', 'İ', 'ß', '\u202e', '-1'],
  ...['👩‍👩‍👧', '__proto__', 'constructor', 'x'.repeat(256), 'x'.repeat(70_000)],
];
const hostileNumbers = [
  0n, 1n, -1n, 2n ** 31n - 1n, -(2n ** 31n), 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n),
];

/**
 * The bytes of a message in which each field has a value of its type: known, hostile or random. A message field is
 * absent, present, or repeated many times if the type permits.
 */
export function messageBytes(type: DescMessage, pool: Pool, random: SeededRandom, depth = 0): Buffer {
  const parts: Buffer[] = [];
  for (const field of type.fields) {
    if (random.chance(depth === 0 ? 0.15 : 0.35)) continue;
    const times = field.fieldKind === 'list' || field.fieldKind === 'map' ? random.pick([0, 1, 1, 2, 3, 12]) : 1;
    for (let index = 0; index < times; index += 1) parts.push(fieldBytes(field, pool, random, depth));
  }
  return Buffer.concat(parts);
}

/** Bytes that are not a valid message: random bytes, or a message that is cut, has flipped bits, or has extra bytes. */
export function brokenBytes(type: DescMessage, pool: Pool, random: SeededRandom): Buffer {
  const noise = octets(random.integer(0, 64), random);
  const message = Buffer.from(messageBytes(type, pool, random));
  switch (random.integer(0, 3)) {
    case 0: return noise;
    case 1: return message.subarray(0, random.integer(0, message.length));
    case 2: return Buffer.concat([message, noise]);
    default:
      for (let turned = 0; turned < 3 && message.length > 0; turned += 1) {
        const at = random.integer(0, message.length - 1);
        message[at] = message[at]! ^ (1 << random.integer(0, 7));
      }
      return message;
  }
}

function fieldBytes(field: DescField, pool: Pool, random: SeededRandom, depth: number): Buffer {
  const innerBytes = (type: DescMessage) => (depth > 4 ? Buffer.alloc(0) : messageBytes(type, pool, random, depth + 1));
  if (field.fieldKind === 'map') {
    const key = scalarBytes(1, field.mapKey, pool, random);
    const value = field.mapKind === 'message'
      ? delimited(2, innerBytes(field.message))
      : scalarBytes(2, field.mapKind === 'enum' ? ScalarType.INT32 : field.scalar, pool, random);
    return delimited(field.number, Buffer.concat([key, value]));
  }
  if (field.message) return delimited(field.number, innerBytes(field.message));
  const scalar = field.enum ? ScalarType.INT32 : (field.scalar as ScalarType);
  return scalarBytes(field.number, scalar, pool, random);
}

function scalarBytes(number: number, scalar: ScalarType, pool: Pool, random: SeededRandom): Buffer {
  switch (scalar) {
    case ScalarType.STRING: {
      // Sometimes send bytes that are not valid UTF-8.
      if (random.chance(0.03)) return delimited(number, Buffer.from([0xff, 0xfe, 0xc0]));
      const anything = String.fromCodePoint(...integers(random.integer(0, 20), 32, 0x2fff, random));
      const hostile = random.chance(0.7) ? random.pick(hostileTexts) : anything;
      const text = random.chance(0.6) ? random.pick(pool.texts) : hostile;
      return delimited(number, Buffer.from(text));
    }
    case ScalarType.BYTES: return delimited(number, octets(random.integer(0, 40), random));
    case ScalarType.BOOL: return integer(number, BigInt(random.integer(0, 1)));
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return Buffer.concat([tag(number, 1), octets(8, random)]);
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return Buffer.concat([tag(number, 5), octets(4, random)]);
    default: {
      const value = random.chance(0.6) ? BigInt(random.pick(pool.numbers)) : random.pick(hostileNumbers);
      return integer(number, value);
    }
  }
}

const octets = (length: number, random: SeededRandom) => Buffer.from(integers(length, 0, 255, random));
const integers = (length: number, least: number, most: number, random: SeededRandom) =>
  Array.from({ length }, () => random.integer(least, most));

/** A field of a text, of bytes or of a message. */
export const delimited = (number: number, content: Buffer) =>
  Buffer.concat([tag(number, 2), varint(BigInt(content.length)), content]);

/** A field of a whole number or a boolean. */
export const integer = (number: number, value: bigint) =>
  Buffer.concat([tag(number, 0), varint(BigInt.asUintN(64, value))]);

/** The tag of a field: its number and wire type. */
export const tag = (number: number, wireType: number) => varint(BigInt(number * 8 + wireType));

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 0x80n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}
