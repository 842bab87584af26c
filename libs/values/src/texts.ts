// A function `…Problem` returns undefined for a valid value. For an invalid value, it returns a text that follows the
// name of the field, such as "must be a UUID".

/** Maximum length of a web address, in characters (open-points 3.1). */
const longestAddress = 255;
/** Spaces, and ASCII characters that RFC 3986 does not permit in an address. URL parsers accept some of them. */
const notInAddress = /[\s\u0000-\u001f\u007f\\"<>^`{|}]/;
/** The usual form of an e-mail address: local part without quotation marks, `@`, domain. */
const email = /^[^\s@"(),:;<>[\\\]\u0000-\u001f\u007f]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
/** Maximum length of an e-mail address, in characters (RFC 5321). */
const longestEmail = 254;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Length in characters (code points), as PostgreSQL counts them. */
export function lengthOf(text: string): number {
  return /[\ud800-\udfff]/.test(text) ? [...text].length : text.length;
}

export function lengthProblem(text: string, { least = 0, most }: { least?: number; most: number }): string | undefined {
  // A character has at most two code units. So a text with more than `2 * most` code units need not be counted.
  const length = text.length > 2 * most ? text.length : lengthOf(text);
  if (length >= least && length <= most) return undefined;
  return least === 0 ? `must have at most ${most} characters` : `must have ${least} to ${most} characters`;
}

export function webAddressProblem(text: string, schemes: readonly string[]): string | undefined {
  if (text === '' || isWebAddress(text, schemes)) return undefined;
  return `must be empty or an absolute ${schemes.join(' or ')} address of at most ${longestAddress} characters`;
}

export function emailProblem(text: string): string | undefined {
  const fits = text.length <= longestEmail && email.test(text);
  return fits ? undefined : `must be an e-mail address of at most ${longestEmail} characters`;
}

/** Checks a UUID: 8-4-4-4-12 hexadecimal digits, in upper or lower case. */
export function uuidProblem(text: string): string | undefined {
  return uuid.test(text) ? undefined : 'must be a UUID';
}

/** @param id 0 if the field of the request is not set */
export function idProblem(id: number): string | undefined {
  return id >= 1 ? undefined : 'must be at least 1';
}

/** Checks a DNS label (RFC 1123), such as the name of a Kubernetes namespace. */
export function dnsLabelProblem(text: string): string | undefined {
  const fits = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text);
  return fits ? undefined : 'must have 1 to 63 lower-case letters, digits and -, with a letter or digit at both ends';
}

/** Refuses control characters (Cc), and line and paragraph separators (Zl, Zp). */
export function controlCharacterProblem(text: string): string | undefined {
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) ? 'must not have control characters or line separators' : undefined;
}

export function fullNameProblem(name: string): string | undefined {
  return lengthProblem(name, { most: 100 }) ?? controlCharacterProblem(name);
}

function isWebAddress(text: string, schemes: readonly string[]): boolean {
  if (lengthProblem(text, { most: longestAddress }) !== undefined || notInAddress.test(text)) return false;
  const url = URL.parse(text);
  // `URL.parse` also accepts an address without slashes, such as `https:host`.
  return url !== null && schemes.includes(url.protocol.slice(0, -1)) && /^[a-z]+:\/\/[^/]/i.test(text) && url.hostname !== '';
}
