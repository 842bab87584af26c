import { describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import * as fc from 'fast-check';
import { InexactNumber } from './exact-number.ts';
import { parseDocument } from './parse-document.ts';

const read = (text: string): unknown => {
  const document = parseDocument(Buffer.from(text));
  return document instanceof Fault ? document.reason : document.value;
};

/** The number as an integer and a number of decimal places. */
function rational(source: string): { digits: bigint; places: number } {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(source)!;
  return { digits: BigInt(`${sign}${whole}${fraction}`), places: fraction.length - Number(exponent) };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [rational(one), rational(other)];
  const places = Math.max(a.places, b.places);
  return a.digits * 10n ** BigInt(places - a.places) === b.digits * 10n ** BigInt(places - b.places);
}

/** The rule of open-points 1.7 for each number, decided with exact integers. */
function expected(source: string): unknown {
  const value = Number(source);
  const isKept = Number.isFinite(value) && (!Number.isInteger(value) || isSame(source, String(value)));
  return isKept ? value : new InexactNumber(value);
}

const digits = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...'0000123456789'), minLength: least, maxLength: most });
const spelling = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.tuple(fc.constantFrom(...'19'), digits(0, 24)).map(([first, rest]) => first + rest)),
    fc.option(digits(1, 30), { nil: undefined }),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.integer({ min: 0, max: 330 })), { nil: undefined }),
  )
  .map(([sign, whole, fraction, exponent]) =>
    `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${exponent?.join('') ?? ''}`);

describe('a document', () => {
  it.each([
    ['\ufeff{"a":"\ufeff"}', { a: '\ufeff' }],
    ['\ufeff\ufeff{}', 'MALFORMED_BODY'], ['{\ufeff}', 'MALFORMED_BODY'], ['\ufeff', 'MALFORMED_BODY'],
  ])('may have one byte order mark before it: %j', (text, expectedValue) => {
    expect(read(text)).toEqual(expectedValue);
  });

  it('has each number as it was sent, or knows that a double cannot hold it', () => {
    fc.assert(fc.property(fc.array(spelling, { minLength: 1, maxLength: 20 }), (numbers) => {
      const list = numbers.map(expected);
      const inner = numbers.map((number, index) => `"${index}": ${number} `).join(',');
      expect(read(`{"12345678901234567890": [${numbers.join(', ')}], "__proto__": {${inner}}}`)).toEqual(
        Object.defineProperty({ '12345678901234567890': list }, '__proto__', {
          value: Object.fromEntries(list.entries()), enumerable: true,
        }),
      );
    }), { numRuns: 300 });
  });

  it.each([
    ['a number as a key', '{12345678901234567890 :1}'],
    ['a number with a zero before it', '[01234567890123456789]'],
    ['a number with two points', '[1.2345678901234567890.1]'],
    ['a number with two signs', '[--12345678901234567890]'],
    ['a number behind a text', '["a"12345678901234567890]'],
    ['a number behind a word', '[true12345678901234567890]'],
    ['two numbers', '[12345678901234567890 12345678901234567890]'],
    ['a text that looks like what stands for a number', '["\\u000012345678901234567890", 12345678901234567890]'],
    ['half a character behind a whole one', '["\\ud83d\\ude00\\ude00"]'],
    ['two first halves of a character', '["\\uD83D\\uD83D\\uDE00"]'],
  ])('is malformed with %s', (_, text) => {
    expect(read(text)).toBe('MALFORMED_BODY');
  });

  const list = (item: string, count: number) => `[${Array(count).fill(item).join()}]`;

  it('holds 1,000 integers of more than 15 digits, and any number of others', () => {
    expect(read(list('9007199254740993', 1_000))).toHaveLength(1_000);
    for (const long of ['9007199254740993', '1e400', '1e-400', '1.00000000000000000000']) {
      expect(read(list(long, 1_001))).toBe('BODY_TOO_LARGE');
    }
    for (const other of ['123456789012345', '0.30000000000000004', '"9007199254740993"', '1e99']) {
      expect(read(list(other, 1_001))).toHaveLength(1_001);
    }
  });

  it.each([
    ['zeros behind the point', `1.${'0'.repeat(2_000_000)}1`, new InexactNumber(1)],
    ['zeros before the exponent', `0.${'0'.repeat(2_000_000)}1e2000001`, 1],
    ['digits', '9'.repeat(2_000_000), new InexactNumber(Infinity)],
    ['digits of an exponent', `1e${'0'.repeat(2_000_000)}1`, 10],
  ])('is read in time that its length bounds: one number of 2 million %s', (_, source, number) => {
    expect(read(`[${source}]`)).toEqual([number]);
  });
});
