import { percentDecode } from './percent.ts';

export interface Query {
  /** All values of a parameter in order; a value that cannot be decoded is undefined. */
  all(name: string): readonly (string | undefined)[];
  /** Whether a name or a value in the query cannot be decoded, even if the parameter is not used. */
  readonly hasBadText: boolean;
  /**
   * Returns the query without the parameters in `names`, and without parameters whose names cannot be decoded. The
   * result is empty or begins with `?`.
   */
  without(names: ReadonlySet<string>): string;
}

/** Parses a query without its question mark. `+` is a space. */
export function parseQuery(raw: string): Query {
  const values = new Map<string, (string | undefined)[]>();
  const pairs = raw.split('&').filter((pair) => pair !== '');
  let hasBadText = false;
  const names = pairs.map((pair) => {
    const equals = pair.indexOf('=');
    const name = decodeText(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decodeText(pair.slice(equals + 1));
    if (name === undefined || value === undefined) hasBadText = true;
    if (name === undefined) return undefined;
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
    return name;
  });
  return {
    all: (name) => values.get(name) ?? [],
    hasBadText,
    without: (unwanted) => {
      const kept = pairs.filter((_, index) => names[index] !== undefined && !unwanted.has(names[index]));
      return kept.length === 0 ? '' : `?${kept.join('&')}`;
    },
  };
}

function decodeText(text: string): string | undefined {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}
