import { choice, repeated, type Shape } from './shape.ts';

/** Values that are small when sent, but may be large or slow to read. */
const values = [
  ...['0', '{}', '[]', '""', 'null', 'true', '"a"', '-0', '0.1', '1e21', '9007199254740993', '1E-400', '1e-7'],
  ...[`1.${'0'.repeat(40)}1`, '9'.repeat(400), `0.${'3'.repeat(400)}`, '12345678901234567890', '{"a":0}', '{"":{}}'],
  ...['[[]]', '[[[[[[[[]]]]]]]]', '"\\u0041"', '"\\ud83d\\ude00"', '"é"', '"__proto__"', '{"__proto__":{}}', '"\\\\"'],
];
/** Endings that make the text before them invalid, or force the parser to read it again. */
const lasts = [
  ...['', '1e21', '9007199254740993', `1.${'0'.repeat(400)}1`, '1e999', '"\\u0000"', '"\\ud800"', '"\\u0041"'],
  ...['"x', ']', '}', '0123456789012345', '"0123456789012345"', 'nul', '{"a":1e21}'],
];
const units = [
  ...['x', ' ', '\\u0041', '\\n', '\\"', 'é', 'ß', 'İ', '😀', '\\ud83d\\ude00', '\\u0000', '\\ud800', '1'],
  ...['0123456789.', 'e+999', '/', 'a@b.example,', 'a.', ' a', '\\t', '\\u202e', '-'],
  '1b671a64-40d5-491e-99b0-da01ff1f3341',
];
const digits = ['9', '0', '3', '123456789'];

type Fill = (shape: Shape, items: readonly string[]) => string;
const fills: readonly Fill[] = [
  list, list,
  (shape, items) => object(shape, items, (index) => `k${index.toString(36)}`),
  (shape, items) => object(shape, items, () => 'k'),
  (shape) => `"${textOf(shape)}"`,
  (shape) => `{"${textOf(shape)}":0}`,
  (shape) => repeated(choice(digits, shape.parts[0]!).item, shape.size),
  (shape) => `1.${repeated(choice(digits, shape.parts[0]!).item, shape.size)}1`,
  (shape) => `1${repeated(choice(digits, shape.parts[0]!).item, shape.size)}1e-${shape.size}`,
  (shape) => `1e${repeated('1', shape.size)}`,
];

/**
 * JSON of about the size of the shape; not always well-formed.
 * @param items valid JSON values for the place of the filling
 */
export function jsonFilling(shape: Shape, items: readonly string[]): string {
  const inner = choice(fills, shape.kind).item(shape, items);
  const [opening, closing] = shape.depth % 2 === 0 ? ['[', ']'] : ['{"a":', '}'];
  return opening.repeat(shape.depth) + inner + closing.repeat(shape.depth);
}

/** A text of a JSON string, between its quotes. */
export const textOf = ({ parts, size }: Shape) =>
  repeated(parts.map((part) => choice(units, part).item).join(''), size);

function partsOf({ parts }: Shape, items: readonly string[]): string[] {
  // Draw valid values as often as small ones.
  const offered = items.length === 0 ? values : [...values, ...values.map((_, index) => items[index % items.length]!)];
  return parts.map((part) => choice(offered, part).item);
}

function list(shape: Shape, items: readonly string[]): string {
  const last = choice(lasts, shape.last).item;
  const many = repeated(`${partsOf(shape, items).join(',')},`, shape.size);
  return `[${last === '' ? many.slice(0, -1) : many + last}]`;
}

function object(shape: Shape, items: readonly string[], keyOf: (index: number) => string): string {
  const parts = partsOf(shape, items);
  const last = choice(lasts, shape.last).item;
  const members: string[] = [];
  for (let index = 0, size = 0; size < shape.size; index += 1) {
    const member = `"${keyOf(index)}":${parts[index % parts.length]!}`;
    members.push(member);
    size += Buffer.byteLength(member) + 1;
  }
  if (last !== '') members.push(`"last":${last}`);
  return `{${members.join(',')}}`;
}
