import { createHash } from 'node:crypto';

declare const rowOf: unique symbol;

/**
 * One statement: its text with `$1…`, the values bound to it, and the name under which each connection prepares it
 * once. Made with the tag {@link sql} only, so no value ever becomes text.
 */
export interface Statement<Row = unknown> {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Undefined when the process has met too many different texts (see {@link mostNames}). */
  readonly name: string | undefined;
  readonly [rowOf]?: Row;
}

/** A part of a statement: another `sql` text, `sql.join` or `sql.identifier`. */
export interface Fragment {
  /** Pieces of text; between two pieces stands one value. */
  readonly pieces: readonly string[];
  readonly values: readonly unknown[];
}

/**
 * Makes a statement; each `${value}` is bound, never written into the text. A `sql` inside becomes part of the text:
 *
 * ```ts
 * const visible = sql`visibility = 'public' or id = any(${ids})`;
 * await database.query(sql<{ id: number }>`select id from account where ${visible}`);
 * ```
 * Lists are bound as one array (`= any(${ids})`): a text per length would be a prepared statement per length.
 * @throws TypeError for `undefined`, which is neither a value nor NULL
 */
export function sql<Row = unknown>(
  texts: TemplateStringsArray,
  ...values: readonly unknown[]
): Statement<Row> & Fragment {
  let nested = false;
  for (const value of values) {
    if (value === undefined) throw new TypeError(`an undefined value in: ${texts.join('?')}`);
    if (value instanceof Text) nested = true;
  }
  if (nested) return new Text(...flatten(texts, values));
  const text = new Text(texts, values);
  text.prepared = knownTemplates.get(texts);
  if (text.prepared === undefined) {
    text.prepared = prepare(texts);
    knownTemplates.set(texts, text.prepared);
  }
  return text;
}

/** Fragments with a separator between them, default `, `. */
sql.join = (parts: readonly Fragment[], separator: Fragment = comma): Fragment => {
  const between = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
  const pieces = Array.from({ length: between.length + 1 }, () => '');
  return new Text(...flatten(pieces, between));
};

/** A quoted name, each part by itself: `sql.identifier('orgs_teams', 'account')` is `"orgs_teams"."account"`. */
sql.identifier = (...path: readonly string[]): Fragment => new Text([path.map(quoteIdentifier).join('.')], []);

/** A value bound as json or jsonb, also when it is an array, a text or null. */
sql.json = (value: unknown): unknown => new Json(value);

/** A name in double quotes, fit for a text that cannot take it as a value. */
export function quoteIdentifier(name: string): string {
  if (name === '' || name.includes('\0')) throw new TypeError('an empty name, or one with NUL');
  return `"${name.replaceAll('"', '""')}"`;
}

/** Most prepared statements per connection; statements beyond it work, but are parsed each time. */
export const mostNames = 500;

interface Prepared {
  readonly text: string;
  readonly name: string | undefined;
}

class Text implements Statement<never>, Fragment {
  readonly pieces: readonly string[];
  readonly values: readonly unknown[];
  prepared: Prepared | undefined;

  constructor(pieces: readonly string[], values: readonly unknown[]) {
    this.pieces = pieces;
    this.values = values;
    this.prepared = undefined;
  }

  get text(): string {
    this.prepared ??= prepare(this.pieces);
    return this.prepared.text;
  }

  get name(): string | undefined {
    this.prepared ??= prepare(this.pieces);
    return this.prepared.name;
  }
}

class Json {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  /** Called by pg for the text it sends. */
  toPostgres(): string {
    return JSON.stringify(this.value);
  }
}

/** Templates without fragments are known by identity, so the usual statement costs neither joining nor hashing. */
const knownTemplates = new WeakMap<readonly string[], Prepared>();
const names = new Map<string, string>();
const comma = new Text([', '], []);

function prepare(pieces: readonly string[]): Prepared {
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

function flatten(pieces: readonly string[], values: readonly unknown[]): [string[], unknown[]] {
  const flatPieces = [pieces[0] ?? ''];
  const flatValues: unknown[] = [];
  const append = (text: string): void => {
    flatPieces[flatPieces.length - 1] += text;
  };
  values.forEach((value, index) => {
    if (value instanceof Text) {
      append(value.pieces[0] ?? '');
      flatValues.push(...value.values);
      flatPieces.push(...value.pieces.slice(1));
    } else {
      flatValues.push(value);
      flatPieces.push('');
    }
    append(pieces[index + 1] ?? '');
  });
  return [flatPieces, flatValues];
}
