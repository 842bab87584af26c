import type { Violation } from '@platform/rpc';

/** Checks the texts of one request and collects what is wrong with them, so that all of it is answered at once. */
export interface TextRules {
  /** At most this many characters (code points). */
  atMost(path: string, value: string, characters: number): void;
  /** Empty, or an absolute URL with one of the schemes, of at most 255 characters. */
  webAddress(path: string, value: string, schemes: readonly string[]): void;
  /** An e-mail address. */
  email(path: string, value: string): void;
  /** Notes a violation another rule found; none when the problem is undefined. */
  note(path: string, problem: string | undefined): void;
  readonly violations: readonly Violation[];
}

/** Longest address of a website or endpoint (open-points 3.1). */
const mostOfAddress = 255;
/** What no address holds (RFC 3986); a parser would escape it without a word. */
const noneOfAddress = /[\s\u0000-\u001f\u007f\\"<>^`{|}]/;
/** Local part, `@`, domain: the shape every mail server agrees on, without quoting. RFC 5321 bounds the length. */
const email = /^[^\s@"(),:;<>[\\\]\u0000-\u001f\u007f]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/;

export function textRules(): TextRules {
  const violations: Violation[] = [];
  const note = (path: string, problem: string | undefined): void => {
    if (problem !== undefined) violations.push({ path, message: problem });
  };
  return {
    violations,
    note,
    atMost: (path, value, characters) => {
      if (lengthOf(value) > characters) note(path, `must have at most ${characters} characters`);
    },
    webAddress: (path, value, schemes) => {
      if (value !== '' && !isWebAddress(value, schemes)) {
        note(path, `must be empty or an absolute ${schemes.join(' or ')} address of at most ${mostOfAddress} characters`);
      }
    },
    email: (path, value) => {
      if (value.length > 254 || !email.test(value)) note(path, 'must be an e-mail address');
    },
  };
}

/** Characters as people and PostgreSQL count them. */
export function lengthOf(text: string): number {
  return text.length <= 50 ? text.length : [...text].length;
}

function isWebAddress(text: string, schemes: readonly string[]): boolean {
  if (lengthOf(text) > mostOfAddress || noneOfAddress.test(text)) return false;
  const url = URL.parse(text);
  // `https:host` parses too, but is no absolute address to anybody else.
  return url !== null && schemes.includes(url.protocol.slice(0, -1)) && /^[a-z]+:\/\/[^/]/i.test(text) && url.hostname !== '';
}
