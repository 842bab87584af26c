/** What {@link scanDocument} finds in a JSON text. If a maximum is exceeded, the rest of the text is not scanned. */
interface ScannedDocument {
  readonly depth: number;
  readonly values: number;
  /** Whether an escape in a string stands for a NUL or for a lone surrogate. */
  readonly hasBadText: boolean;
  /** Numbers that may have to become an `InexactNumber`, in the order of the text. */
  readonly longIntegers: readonly NumberToken[];
}

export interface NumberToken {
  readonly source: string;
  readonly start: number;
}

const [quote, backslash, comma, minus] = [0x22, 0x5c, 0x2c, 0x2d];
const [listStart, listEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Number of decimal digits that a double always preserves, if the exponent has at most two digits. */
const exactDigits = 15;

/** Scans a JSON text in one pass. The result may be wrong for invalid JSON, which the parser refuses later. */
export function scanDocument(
  text: string, most: Readonly<Record<'depth' | 'values' | 'longIntegers', number>>,
): ScannedDocument {
  const longIntegers: NumberToken[] = [];
  const { length } = text;
  let [depth, deepest, separated, numbers, hasBadText] = [0, 0, 1, 0, false];
  // Invalid JSON may have numbers without commas between them. They count too, because the scan of each takes time.
  const valuesSeen = () => Math.max(separated, numbers);
  const isWithin = () =>
    deepest <= most.depth && valuesSeen() <= most.values && longIntegers.length <= most.longIntegers;
  for (let index = 0; index < length && isWithin(); index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      for (index += 1; index < length && text.charCodeAt(index) !== quote; index += 1) {
        if (text.charCodeAt(index) !== backslash) continue;
        index += 1;
        const escaped = unitAt(text, index);
        if (escaped === 'high' && text.charCodeAt(index + 5) === backslash && unitAt(text, index + 6) === 'low') {
          index += 6;
        } else if (escaped !== 'other') {
          hasBadText = true;
        }
      }
    } else if (code === comma) {
      separated += 1;
    } else if (isDigit(code) || code === minus) {
      numbers += 1;
      const end = endOfNumber(text, index);
      if (isLong(text, index, end)) {
        const source = text.slice(index, end);
        if (mayChange(source) && !isKey(text, end)) longIntegers.push({ source, start: index });
      }
      index = end - 1;
    } else if (code === listStart || code === objectStart) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === listEnd || code === objectEnd) {
      depth -= 1;
    }
  }
  return { depth: deepest, values: valuesSeen(), hasBadText, longIntegers };
}

/** Classifies the escape whose backslash is just before `index`. */
function unitAt(text: string, index: number): 'nul' | 'high' | 'low' | 'other' {
  if (text.charCodeAt(index) !== 0x75) return 'other';
  const first = text.charCodeAt(index + 1);
  if (first === 0x30) return text.startsWith('000', index + 2) ? 'nul' : 'other';
  if (first !== 0x44 && first !== 0x64) return 'other';
  const second = text.charCodeAt(index + 2);
  if (second === 0x38 || second === 0x39) return 'high';
  const letter = second | 0x20;
  if (letter === 0x61 || letter === 0x62) return 'high';
  return letter >= 0x63 && letter <= 0x66 ? 'low' : 'other';
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Matches the rest of a number. This pattern is faster than a loop. */
const restOfNumber = /[-+.0-9eE]*/y;

function endOfNumber(text: string, start: number): number {
  restOfNumber.lastIndex = start;
  restOfNumber.test(text);
  return restOfNumber.lastIndex;
}

/** Whether a number may have too many digits or too large an exponent for a double. */
function isLong(text: string, start: number, end: number): boolean {
  if (end - start > exactDigits) return true;
  if (end - start < 5) return false;
  const last = end - 1;
  if (!isDigit(text.charCodeAt(last - 1)) || !isDigit(text.charCodeAt(last - 2))) return false;
  for (let index = start + 1; index < last - 2; index += 1) {
    if ((text.charCodeAt(index) | 0x20) === 0x65) return true;
  }
  return false;
}

/**
 * Whether the nearest double of a number is an integer or infinite. Only these numbers must be exact; other numbers are
 * fractions, which may be rounded.
 */
function mayChange(source: string): boolean {
  const value = Number(source);
  return Number.isInteger(value) || Math.abs(value) === Infinity;
}

/** Whether a colon follows a number. Such a number is an invalid key, but `parseExactly` would make it valid. */
const isKey = (text: string, end: number): boolean => text.slice(end).trimStart().startsWith(':');
