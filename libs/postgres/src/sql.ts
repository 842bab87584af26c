import { createHash } from 'node:crypto';

declare const rowOf: unique symbol;

/** A statement for PostgreSQL. The tag {@link sql} creates it. Its text has `$1…` in place of values. */
export interface Statement<Row = unknown> {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Name of the prepared statement. Undefined if {@link mostNames} other texts had names before this text. */
  readonly name: string | undefined;
  readonly [rowOf]?: Row;
}

/** A part of a statement, made by `sql`, `sql.join` or `sql.identifier`. */
export interface Fragment {
  /** Pieces of SQL text. Between each piece and the next stands one of the `values`. */
  readonly pieces: readonly string[];
  readonly values: readonly unknown[];
}

/**
 * Creates a statement. Values are bound. A nested fragment becomes part of the text:
 *
 * ```ts
 * const visible = sql`visibility = 'public' or id = any(${ids})`;
 * await database.query(sql<{ id: number }>`select id from account where ${visible}`);
 * ```
 * Bind a list as one array (`= any(${ids})`). Otherwise, each length of the list needs its own prepared statement.
 * @throws TypeError for `undefined`, which is neither a value nor NULL
 */
export function sql<Row = unknown>(
  texts: TemplateStringsArray, ...values: readonly unknown[]
): Statement<Row> & Fragment {
  for (const value of values) {
    if (value === undefined) throw new TypeError(`an undefined value in: ${texts.join('?')}`);
  }
  const shape = shapeOf(texts, values);
  return new Text(shape, shape.nested ? boundValues(values) : values);
}

/** Joins fragments with a separator; default `, `. */
sql.join = (parts: readonly Fragment[], separator: Fragment = comma): Fragment => {
  const between = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
  const texts = (emptyTexts[between.length] ??= Array.from({ length: between.length + 1 }, () => ''));
  return new Text(shapeOf(texts, between), boundValues(between));
};

/** Quotes a name, part by part: `sql.identifier('orgs_teams', 'account')` is `"orgs_teams"."account"`. */
sql.identifier = (...path: readonly string[]): Fragment =>
  new Text(new Shape([path.map(quoteIdentifier).join('.')]), []);

/** Binds a value as JSON, even an array, a text or null. pg calls `toPostgres`. */
sql.json = (value: unknown): unknown => ({ toPostgres: () => JSON.stringify(value) });

/** Quotes a name for the text of a statement, because a bound value cannot be a name. */
export function quoteIdentifier(name: string): string {
  if (name === '' || name.includes('\0')) throw new TypeError('a name must not be empty or contain NUL');
  return `"${name.replaceAll('"', '""')}"`;
}

/** Maximum number of prepared statements per connection. Further statements work, but are parsed each time. */
export const mostNames = 500;

/** The text of a statement or fragment without its values. */
class Shape {
  readonly pieces: readonly string[];
  /** Whether the values of the template include fragments. */
  readonly nested: boolean;
  #prepared: { readonly text: string; readonly name: string | undefined } | undefined;

  constructor(pieces: readonly string[], nested = false) {
    this.pieces = pieces;
    this.nested = nested;
  }

  get prepared() {
    return (this.#prepared ??= prepare(this.pieces));
  }
}

class Text implements Statement<never>, Fragment {
  readonly shape: Shape;
  readonly values: readonly unknown[];

  constructor(shape: Shape, values: readonly unknown[]) {
    this.shape = shape;
    this.values = values;
  }

  get pieces(): readonly string[] {
    return this.shape.pieces;
  }

  get text(): string {
    return this.shape.prepared.text;
  }

  get name(): string | undefined {
    return this.shape.prepared.name;
  }
}

/**
 * One step in the look-up of a {@link Shape}. The first key is the template. Each further key stands for one value: the
 * shape of a fragment, or {@link bound} for any other value. `shape` is set on the last step.
 */
interface Known {
  shape: Shape | undefined;
  readonly next: WeakMap<object, Known>;
}

/** Caches shapes by the identity of the template. A cached statement needs no joining or hashing. */
const knownTemplates = new WeakMap<object, Known>();
const bound = {};

function shapeOf(texts: readonly string[], values: readonly unknown[]): Shape {
  let known = knownUnder(knownTemplates, texts);
  let nested = false;
  for (const value of values) {
    const part = value instanceof Text ? value.shape : bound;
    if (part !== bound) nested = true;
    known = knownUnder(known.next, part);
  }
  known.shape ??= new Shape(flatPieces(texts, values), nested);
  return known.shape;
}

function knownUnder(all: WeakMap<object, Known>, key: object): Known {
  let known = all.get(key);
  if (known === undefined) all.set(key, (known = { shape: undefined, next: new WeakMap() }));
  return known;
}

/** Templates for joined fragments, by number of fragments. Reused, because they are keys of the shape cache. */
const emptyTexts: (readonly string[])[] = [];
const names = new Map<string, string>();
const comma = new Text(new Shape([', ']), []);

function prepare(pieces: readonly string[]): { text: string; name: string | undefined } {
  let text = pieces[0] ?? '';
  for (let index = 1; index < pieces.length; index += 1) text += `$${index}${pieces[index]}`;
  return { text, name: nameOf(text) };
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostNames) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  names.set(text, name);
  return name;
}

function flatPieces(pieces: readonly string[], values: readonly unknown[]): string[] {
  const flat = [pieces[0] ?? ''];
  values.forEach((value, index) => {
    const [first = '', ...others] = value instanceof Text ? value.pieces : ['', ''];
    flat[flat.length - 1] += first;
    flat.push(...others);
    flat[flat.length - 1] += pieces[index + 1] ?? '';
  });
  return flat;
}

function boundValues(values: readonly unknown[]): unknown[] {
  return values.flatMap((value) => (value instanceof Text ? value.values : [value]));
}
