import { isUtf8 } from 'node:buffer';
import { Fault } from '@platform/faults';
import { parseExactly } from './exact-number.ts';
import { scanDocument } from './scan-document.ts';

/** Maximum nesting of objects and lists in a body (open-points 1.9). */
const deepestJson = 64;
/** Maximum number of values in a body. Each value takes far more memory than its bytes (ADR 0113). */
const mostValues = 20_000;
/** Maximum number of `longIntegers` in a body. Comparing a long integer with its double takes long (ADR 0151). */
const mostLongIntegers = 1_000;
const bounds = { depth: deepestJson, values: mostValues, longIntegers: mostLongIntegers };

/**
 * Parses a JSON document. Refuses a document that exceeds one of the `bounds`, or has a string with NUL or a lone
 * surrogate (open-points 1.7). Integers that a double would change become an `InexactNumber`. If an object has equal
 * keys, the last one counts.
 */
export function parseDocument(bytes: Buffer): { value: unknown } | Fault {
  if (!isUtf8(bytes)) return malformed('the body is not UTF-8');
  // RFC 8259 §8.1 lets parsers ignore the byte order mark, which some Windows programs put before a text.
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  // Check the bounds before parsing: a deep document may overflow the parser, and many values take much memory.
  const { depth, values, longIntegers, hasBadText } = scanDocument(text, bounds);
  if (depth > deepestJson) return malformed(`the body is nested deeper than ${deepestJson} levels`);
  if (values > mostValues) return new Fault('BODY_TOO_LARGE', `the body may contain up to ${mostValues} values`);
  if (longIntegers.length > mostLongIntegers) {
    return new Fault('BODY_TOO_LARGE', `the body may contain up to ${mostLongIntegers} integers of over 15 digits`);
  }
  let value: unknown;
  try {
    value = parseExactly(text, longIntegers);
  } catch {
    return malformed('the body is not JSON');
  }
  // The scan checks only escapes. This suffices: UTF-8 has no surrogates, and JSON has no unescaped NUL.
  return hasBadText ? malformed('the body has a NUL or half a surrogate pair') : { value };
}

export function malformed(message: string): Fault {
  return new Fault('MALFORMED_BODY', message);
}
