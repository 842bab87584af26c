import { isUtf8 } from 'node:buffer';
import { Fault } from '@platform/rpc';
import { parseExactly } from './exact-number.ts';

/** Deepest nesting of objects and lists in a body (open-points 1.9). */
const deepestJson = 64;
/** Most values in a body: each takes far more memory than its bytes (ADR 0113). */
const mostValues = 100_000;

/**
 * Reads a JSON document as open-points 1.7 asks: UTF-8, no NUL and no lone surrogate anywhere, at most 64 deep and of
 * 100,000 values, integers that are not changed by reading them, of equal keys the last.
 */
export function parseDocument(bytes: Buffer): { value: unknown } | Fault {
  if (!isUtf8(bytes)) return malformed('the body is not UTF-8');
  const text = bytes.toString('utf8');
  const excess = excessOf(text);
  if (excess !== undefined) return excess;
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    return malformed('the body is not JSON');
  }
  // A NUL or a surrogate can only come from an escape: the bytes are UTF-8, and a bare control character is no JSON.
  if (badEscape.test(text) && hasBadText(text)) return malformed('the body holds a NUL or half a character');
  return { value };
}

/** A fault of the body as a whole. */
export function malformed(message: string): Fault {
  return new Fault('MALFORMED_BODY', message);
}

const badEscape = /\\u(?:0000|[dD][89a-fA-F])/;
const stringLiteral = /"(?:[^"\\]|\\.)*"/g;

/** Looks at each string of the text, so that members overwritten by an equal key count too. */
function hasBadText(text: string): boolean {
  for (const [literal] of text.matchAll(stringLiteral)) {
    if (badEscape.test(literal)) {
      const decoded = JSON.parse(literal) as string;
      if (decoded.includes('\0') || !decoded.isWellFormed()) return true;
    }
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/**
 * Decided before parsing: what is too deep may be too deep to walk, and what has too many values is too large when
 * parsed. Text that is no JSON may be misjudged; it is refused anyway.
 */
function excessOf(text: string): Fault | undefined {
  if (text.length <= deepestJson) return undefined;
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index += 1;
      while (index < text.length && text.charCodeAt(index) !== quote) {
        index += text.charCodeAt(index) === backslash ? 2 : 1;
      }
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepestJson) return malformed(`the body is nested deeper than ${deepestJson}`);
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    } else if (code === comma) {
      values += 1;
      if (values > mostValues) return new Fault('BODY_TOO_LARGE', `the body may hold up to ${mostValues} values`);
    }
  }
  return undefined;
}
