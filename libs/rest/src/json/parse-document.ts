import { isUtf8 } from 'node:buffer';
import { Fault } from '@platform/faults';
import { parseExactly } from './exact-number.ts';
import { scanDocument } from './scan-document.ts';

/** Deepest nesting of objects and lists in a body (open-points 1.9). */
const deepestJson = 64;
/** Most values in a body: each takes far more memory than its bytes (ADR 0113). */
const mostValues = 20_000;
/** Most integers of more than 15 digits: whether a double holds one is costly to see (ADR 0151). */
const mostLongIntegers = 1_000;
const bounds = { depth: deepestJson, values: mostValues, longIntegers: mostLongIntegers };

/**
 * Reads a JSON document as open-points 1.7 asks: UTF-8, no NUL and no lone surrogate anywhere, at most 64 deep and of
 * 20,000 values, integers that are not changed by reading them, of equal keys the last. A byte order mark is ignored.
 */
export function parseDocument(bytes: Buffer): { value: unknown } | Fault {
  if (!isUtf8(bytes)) return malformed('the body is not UTF-8');
  const text = withoutMark(bytes.toString('utf8'));
  // Before parsing: what is too deep may be too deep to walk, and what has too many values is too large when parsed.
  const { depth, values, longIntegers, hasBadText } = scanDocument(text, bounds);
  if (depth > deepestJson) return malformed(`the body is nested deeper than ${deepestJson}`);
  if (values > mostValues) return new Fault('BODY_TOO_LARGE', `the body may hold up to ${mostValues} values`);
  if (longIntegers.length > mostLongIntegers) {
    return new Fault('BODY_TOO_LARGE', `the body may hold up to ${mostLongIntegers} integers of more than 15 digits`);
  }
  let value: unknown;
  try {
    value = parseExactly(text, longIntegers);
  } catch {
    return malformed('the body is not JSON');
  }
  // A NUL or a surrogate can only come from an escape: the bytes are UTF-8, and a bare control character is no JSON.
  return hasBadText ? malformed('the body has a NUL or half a surrogate pair') : { value };
}

/** A text without the byte order mark that programs of Windows put before it; RFC 8259 §8.1 lets parsers ignore it. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** A fault of the body as a whole. */
export function malformed(message: string): Fault {
  return new Fault('MALFORMED_BODY', message);
}
