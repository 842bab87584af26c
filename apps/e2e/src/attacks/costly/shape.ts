import type { SeededRandom } from '@platform/testing';

/**
 * The properties of a body or message. Its filling is the generated content that makes it costly. A number in [0, 1)
 * chooses among the possibilities of a target, so a shape that is expensive at one method can be tried and mutated at
 * every other.
 */
export interface Shape {
  /** Approximate size of the filling, in bytes. */
  readonly size: number;
  /** The place of the filling: a field, a field of a field, an unknown field, the whole body. */
  readonly place: number;
  /** A list, an object, a text, a number and so on. */
  readonly kind: number;
  /** The parts that repeat in the filling, in turn. */
  readonly parts: readonly number[];
  /** The end of the filling, if the end is not a part; in a message, the bytes before the filling. 0: nothing. */
  readonly last: number;
  /** Depth of the filling. */
  readonly depth: number;
  /** Number of messages in a stream of requests, or of chunks of a body. 1: the body is whole. */
  readonly pieces: number;
  /** Parameters, headers and metadata that are sent with the body or message. */
  readonly around: number;
}

/** With the parts around the filling, a body stays within the 2 MiB limit (open-points 1.9). */
const smallest = 16;
export const largest = 2 * 1024 * 1024 - 8 * 1024;
/** Far more pieces than usual: an upload sends a file of 10 MiB in 160 messages. */
const mostPieces = 200_000;
/** Bodies may be 64 deep, messages deeper. */
const deepest = 300;

/** Sizes are log-uniform: as many shapes of 16 to 32 bytes as of 1 to 2 MiB. */
export function randomShape(random: SeededRandom): Shape {
  return {
    size: Math.min(largest, Math.round(smallest * (2 * largest / smallest) ** random.next())),
    place: random.next(),
    kind: random.next(),
    parts: Array.from({ length: random.integer(1, 3) }, () => random.next()),
    last: random.chance(0.5) ? 0 : random.next(),
    depth: random.chance(0.6) ? 0 : random.pick([1, 2, 30, 60, 61, 62, 63, 64, 65, random.integer(3, deepest)]),
    pieces: random.chance(0.7) ? 1 : Math.round(mostPieces ** random.next()),
    around: random.chance(0.8) ? 0 : random.next(),
  };
}

/** The shape with one or two properties changed. */
export function mutated(shape: Shape, random: SeededRandom): Shape {
  let changed = shape;
  for (let times = random.integer(1, 2); times > 0; times -= 1) {
    const other = randomShape(random);
    const name = random.pick(Object.keys(shape) as (keyof Shape)[]);
    const size = random.pick([changed.size / 2, changed.size * 2, largest, other.size]);
    const value = name === 'size' ? Math.min(largest, Math.max(smallest, Math.round(size))) : other[name];
    changed = { ...changed, [name]: value };
  }
  return changed;
}

/** The item that a number in [0, 1) selects, and a new number for a further choice. */
export function choice<Item>(items: readonly Item[], chooser: number): { readonly item: Item; readonly rest: number } {
  const scaled = chooser * items.length;
  const index = Math.floor(scaled);
  return { item: items[index]!, rest: scaled - index };
}

/** Texts or bytes that together have this length or a little more, but at most `most` of them. */
export function upTo<Item extends { readonly length: number }>(
  size: number, itemOf: (index: number) => Item, most = Infinity,
): Item[] {
  const made: Item[] = [];
  for (let index = 0, length = 0; length < size && index < most; index += 1) {
    made.push(itemOf(index));
    length += made[index]!.length;
  }
  return made;
}

/** A text of about this many bytes. */
export const repeated = (unit: string, size: number) =>
  unit.repeat(Math.max(1, Math.floor(size / Buffer.byteLength(unit))));
