import { type DescEnum, type DescField, integerRange, ScalarType } from '@platform/surface';
import { isChanged } from '../json/exact-number.ts';
import { parseTimestamp } from '../json/timestamp.ts';

interface TextKind {
  /** Returns undefined if the text is invalid. */
  readonly read: (text: string) => unknown;
  /** A description of valid texts, for messages to clients. */
  readonly accepts: string;
}

const idForm = /^[1-9][0-9]{0,15}$/;
const integerForm = /^(?:0|-?[1-9][0-9]{0,15})$/;
const numberForm = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/;

/**
 * Which integers are accepted (open-points 5.7). `positive`: from 1. `orZero`: from 0; the value 0 means "not given".
 * `page`: from 0 to 2^53-1, even for a 32-bit field. `number`: the range of the field, also in the form `1e3`.
 */
type IntegerForm = 'positive' | 'orZero' | 'page' | 'number';

/** Returns how to read one value of a field from text. Undefined if the type of the field has no text form. */
export function textKindOf(field: DescField, integers: IntegerForm): TextKind | undefined {
  if (field.fieldKind === 'map') return undefined;
  if (field.message) {
    if (field.message.typeName !== 'google.protobuf.Timestamp') return undefined;
    return { read: parseTimestamp, accepts: 'a time such as 2026-11-21T09:30:00Z' };
  }
  if (field.enum) return enumKind(field.enum);
  switch (field.scalar) {
    case ScalarType.STRING:
      return { read: (text) => text, accepts: 'text' };
    case ScalarType.BOOL:
      return { read: readBoolean, accepts: 'true, false, 1 or 0' };
    case ScalarType.BYTES:
      return undefined;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return { read: readNumber, accepts: 'a number' };
    default:
      return integerKind(integerRange(field)!, integers);
  }
}

function readBoolean(text: string): boolean | undefined {
  if (/^(?:true|1)$/i.test(text)) return true;
  return /^(?:false|0)$/i.test(text) ? false : undefined;
}

function readNumber(text: string): number | undefined {
  const number = numberForm.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : undefined;
}

function integerKind({ least, most }: { least: number; most: number }, integers: IntegerForm): TextKind {
  const lowest = integers === 'number' ? least : integers === 'positive' ? 1 : 0;
  const highest = integers === 'page' ? Number.MAX_SAFE_INTEGER : most;
  const form = integers === 'positive' ? idForm : integerForm;
  const readDigits = (text: string) => (form.test(text) ? Number(text) : undefined);
  const readNumber = integers === 'number' ? readInteger : readDigits;
  return {
    read: (text) => {
      const value = readNumber(text);
      return value !== undefined && value >= lowest && value <= highest ? value : undefined;
    },
    accepts: `a whole number from ${lowest} to ${highest}`,
  };
}

/**
 * Reads an integer as in JSON bodies: `1.0` and `1e3` are integers. Undefined for other texts, and for integers that a
 * double would change.
 */
function readInteger(text: string): number | undefined {
  const value = numberForm.test(text) ? Number(text) : NaN;
  return Number.isInteger(value) && !isChanged(text) ? value + 0 : undefined;
}

function enumKind(type: DescEnum): TextKind {
  const numbers = new Map(type.values.map(({ name, number }) => [name, number]));
  return { read: (text) => numbers.get(text), accepts: `one of ${[...numbers.keys()].join(', ')}` };
}
