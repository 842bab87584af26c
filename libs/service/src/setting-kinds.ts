import { isIP } from 'node:net';
import { parseAddress } from './address.ts';
import { Secret } from './secret.ts';

export interface Kind<Value> {
  /** Which values are accepted, e.g. `a whole number from 0 to 65535`. Errors and documentation contain this text. */
  readonly accepts: string;
  /**
   * Whether values are secret. Errors omit secret values. A variable `…_FILE` may contain the path of a file with the
   * secret.
   */
  readonly secret: boolean;
  /** Whether the settings file may contain a YAML list instead of text. */
  readonly list: boolean;
  /** Whether the items of the list are objects. `parse` then reads JSON. Default: false. */
  readonly structured?: boolean;
  /** Reads trimmed text. Returns undefined if the text is invalid. */
  readonly parse: (text: string) => Value | undefined;
}

function kind<Value>(accepts: string, parse: Kind<Value>['parse']): Kind<Value> {
  return { accepts, parse, secret: false, list: false };
}

export const text: Kind<string> = kind('text', (given) => given);

/** The name of an OpenFGA store. */
export const storeName: Kind<string> = kind('a name of 3 to 64 letters, digits, spaces and . - / ^ _ & @', (given) =>
  (/^[A-Za-z0-9 .\-/^_&@]{3,64}$/.test(given) ? given : undefined));

export const secret: Kind<Secret> = { ...kind('a secret text', (given) => new Secret(given)), secret: true };

/** A secret URL with one of the schemes. The URL may contain a password. */
export function secretUrl(...schemes: readonly string[]): Kind<Secret> {
  const checked = kind(urlText(schemes), (given) => (isUrl(given, schemes) ? new Secret(given) : undefined));
  return { ...checked, secret: true };
}

export const sha256: Kind<Buffer> = kind('64 hexadecimal characters', (given) =>
  (/^[0-9a-f]{64}$/i.test(given) ? Buffer.from(given, 'hex') : undefined));

export function integer(least: number, most: number): Kind<number> {
  return kind(`a whole number from ${least} to ${most}`, (given) => {
    const value = /^-?[0-9]{1,15}$/.test(given) ? Number(given) : NaN;
    return value >= least && value <= most ? value : undefined;
  });
}

export const share: Kind<number> = kind('a number from 0 to 1', (given) => {
  const value = /^[0-9]*\.?[0-9]+$/.test(given) ? Number(given) : NaN;
  return value >= 0 && value <= 1 ? value : undefined;
});

/** A port; 0 means a free port. */
export const port: Kind<number> = integer(0, 65_535);

export const flag: Kind<boolean> = kind('true or false', (given) => {
  if (/^(true|1)$/i.test(given)) return true;
  return /^(false|0)$/i.test(given) ? false : undefined;
});

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration. The value and the bounds `least` and `most` are milliseconds. */
export function duration(least = 0, most = 366 * 86_400_000): Kind<number> {
  return kind(`a duration such as 500ms, 30s, 5m, 2h or 7d, from ${least} ms to ${most} ms`, (given) => {
    const [, count, unit] = /^([0-9]{1,9})(ms|s|m|h|d)$/.exec(given) ?? [];
    const value = Number(count) * (units[unit ?? ''] ?? NaN);
    return value >= least && value <= most ? value : undefined;
  });
}

/** One of the given words. Letter case matters. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Kind<Word> {
  return kind(`one of ${words.join(', ')}`, (given) => words.find((word) => word === given));
}

/** `true`, `false` or `auto`. With `auto`, another setting decides, such as `run.mode`. */
export const auto = oneOf('auto', 'true', 'false');

/** A list of at most `most` values: text separated by commas, or a YAML list. Empty items are ignored. */
export function listOf<Item>(item: Kind<Item>, most = 1_000): Kind<readonly Item[]> {
  return {
    accepts: `a list of at most ${most} items, separated by commas, each ${item.accepts}`,
    secret: item.secret,
    list: true,
    parse: (given) => {
      const parts = given.split(',').map((part) => part.trim()).filter((part) => part !== '');
      const items = parts.map((part) => item.parse(part)).filter((value) => value !== undefined);
      return items.length === parts.length && items.length <= most ? items : undefined;
    },
  };
}

/** An absolute URL with one of the schemes. Slashes at its end are removed. */
export function url(...schemes: readonly string[]): Kind<string> {
  return kind(urlText(schemes), (given) => (isUrl(given, schemes) ? given.replace(/\/+$/, '') : undefined));
}

/** A time in the format of RFC 3339, or a date. A date means the first moment of that day in UTC. */
export const time: Kind<Date> = kind('a time such as 2026-11-21T09:30:00Z, or a date', (given) => {
  const isTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}))?$/.test(given);
  const moment = new Date(isTime ? given : NaN);
  return Number.isNaN(moment.getTime()) || !isDay(given.slice(0, 10)) ? undefined : moment;
});

export const email: Kind<string> = kind('an e-mail address', (given) =>
  (given.length <= 254 && /^[^\s@,<>"]+@[^\s@,<>"]+$/.test(given) ? given : undefined));

export const address: Kind<string> = kind('an address host:port', (given) => (isAddress(given) ? given : undefined));

/** The addresses of the replicas of a service. */
export const addressList: Kind<readonly string[]> = listOf(address, 100);

/** An address range in CIDR notation, such as `10.0.0.0/8`. A single address becomes a range of one address. */
export const cidr: Kind<string> = kind('an address range such as 10.0.0.0/8', (given) => {
  const [base, bits, ...rest] = given.split('/');
  const version = isIP(base ?? '');
  const width = version === 6 ? 128 : 32;
  if (version === 0 || rest.length > 0) return undefined;
  if (bits === undefined) return `${given}/${width}`;
  return /^[0-9]{1,3}$/.test(bits) && Number(bits) <= width ? given : undefined;
});

/** Whether the calendar has this day. `Date` alone is not enough: it reads `2026-02-30` as a day in March. */
function isDay(date: string): boolean {
  const day = new Date(date);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

function isAddress(given: string): boolean {
  try {
    parseAddress(given);
    return true;
  } catch {
    return false;
  }
}

function isUrl(given: string, schemes: readonly string[]): boolean {
  return URL.canParse(given) && schemes.includes(new URL(given).protocol.slice(0, -1));
}

function urlText(schemes: readonly string[]): string {
  return `a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
}
