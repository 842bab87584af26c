import { randomInt, randomUUID } from 'node:crypto';
import type { OwnBus } from '@platform/testing';
import type { Organization, Person } from '../orgs/world.ts';

/** A value that an example names: an id, the name of an organization or a user, a UUID. */
export type Name = number | string;

/** Actual values for the names of the examples in one organization. */
export interface Names {
  readonly meant: ReadonlyMap<unknown, Name>;
  /** Names that are not secrets of the organization: people (open-points 1.10), and public things. */
  readonly open: ReadonlySet<unknown>;
  /** The actual text for a text of the examples: the same in acme, another one of the same form elsewhere. */
  text(shown: string): string;
  /** Registers ids that the examples number from `first`. */
  ids(first: number, actual: readonly number[]): void;
  /** Registers the actual value of a name that is not a secret. */
  openly(shown: Name, actual: Name): void;
}

/** An organization with everything that the examples name. */
export interface ExampleOrganization {
  readonly organization: Organization;
  /** Alice. */
  readonly owner: Person;
  readonly names: Names;
  readonly bus: OwnBus;
  /** Resources to release together with the world. */
  readonly held: AsyncDisposableStack;
}

/** @param asShown true for acme: texts are used as in the examples */
export function createNames(asShown: boolean): Names {
  const meant = new Map<unknown, Name>();
  const open = new Set<unknown>();
  return {
    meant, open,
    text: (shown) => {
      if (!meant.has(shown)) meant.set(shown, asShown ? shown : anotherOf(shown));
      return String(meant.get(shown));
    },
    ids: (first, actual) => actual.forEach((id, index) => meant.set(first + index, id)),
    openly: (shown, actual) => {
      meant.set(shown, actual);
      open.add(shown);
    },
  };
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
// The letters form no words, because compared answers contain words such as `none` and `http`.
const [small, capital] = ['bcdfgjklmnqrsvwxz', 'BCDFGJKMNQRSVWXZ'];

/** An unused value of the same form: a UUID for a UUID, otherwise letters for letters. */
export function anotherOf(value: string): string;
export function anotherOf(value: Name): Name;
export function anotherOf(value: Name): Name {
  // The range is far larger than the number of values in a test, so values do not repeat.
  if (typeof value === 'number') return randomInt(1_000_000_000, 9_999_999_999);
  if (uuid.test(value)) return randomUUID();
  return value.replace(/[a-z]/gi, (letter) => {
    const alphabet = letter === letter.toLowerCase() ? small : capital;
    return alphabet[randomInt(alphabet.length)]!;
  });
}
