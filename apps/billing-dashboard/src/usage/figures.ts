/** Converts exact amounts and exact use to numbers for answers and documents (open-points 7.2, 7.3). */

/** Amounts are in billionths of a core or of a byte. Use is calculated as amount × time in microseconds. */
const core = 10n ** 9n;
const gib = 10n ** 9n * 2n ** 30n;
const minute = 60_000_000n;

/** Exact amounts (billionths), or exact use over a time (billionths × microseconds). */
export type Figures = Readonly<Record<'cpu' | 'memory', bigint>>;

/** Amounts or use as the API shows them: `Q` of open-points 7.2. */
export type Quantities = Readonly<Record<'cpu' | 'memory', number>>;

/** The divisors that convert {@link Figures} to {@link Quantities}, and the names of the resulting units. */
export type Unit = Figures & { readonly names: Readonly<Record<'cpu' | 'memory', string>> };

export const minutes: Unit = {
  cpu: core * minute, memory: gib * minute, names: { cpu: 'core-minute', memory: 'gib-minute' },
};

/**
 * Returns the units core-month and GiB-month for a month of `length` microseconds. One core that is used during the
 * whole month is 1 core-month.
 */
export function months(length: number): Unit {
  return {
    cpu: core * BigInt(length), memory: gib * BigInt(length), names: { cpu: 'core-month', memory: 'gib-month' },
  };
}

export const amounts: Unit = { cpu: core, memory: gib, names: { cpu: 'core', memory: 'gib' } };

/** Returns a unit for averages. Usage in this unit is the average amount over `length` microseconds. */
export function averageOver(length: number): Unit {
  return { ...months(Math.max(length, 1)), names: amounts.names };
}

export const nothing: Figures = { cpu: 0n, memory: 0n };

export function add(one: Figures, other: Figures): Figures {
  if (one === nothing) return other;
  if (other === nothing) return one;
  return { cpu: one.cpu + other.cpu, memory: one.memory + other.memory };
}

export function toQuantities({ cpu, memory }: Figures, unit: Unit): Quantities {
  return { cpu: quotient(cpu, unit.cpu), memory: quotient(memory, unit.memory) };
}

/** Converts billionths of a byte to GiB. */
export function toGib(billionths: bigint): number {
  return quotient(billionths, gib);
}

/** Returns the exact fraction for the decimal form of a number: 1/10 for 0.1. */
export function exactly(number: number): { readonly dividend: bigint; readonly divisor: bigint } {
  const [digits = '', exponent = ''] = number.toExponential().split('e');
  const [whole, fraction = ''] = digits.split('.');
  const power = Number(exponent) - fraction.length;
  const dividend = BigInt(`${whole}${fraction}`);
  return power < 0
    ? { dividend, divisor: 10n ** BigInt(-power) }
    : { dividend: dividend * 10n ** BigInt(power), divisor: 1n };
}

const decimals = 10n ** 6n;
/** For a quotient below this number of millionths, calculation with doubles has an error below 0.001 millionths. */
const exactEnough = 2 ** 40;

/** A quotient of two non-negative numbers, rounded half-even to 6 decimals. */
export function quotient(dividend: bigint, divisor: bigint): number {
  // Doubles are faster. They are not exact enough for large quotients, or near the middle between two rounded values.
  const millionths = (Number(dividend) / Number(divisor)) * 1e6;
  const whole = Math.floor(millionths);
  const aboveMiddle = millionths - whole - 0.5;
  if (millionths < exactEnough && Math.abs(aboveMiddle) > 0.001) return (aboveMiddle > 0 ? whole + 1 : whole) / 1e6;
  return exactQuotient(dividend, divisor);
}

function exactQuotient(dividend: bigint, divisor: bigint): number {
  const scaled = dividend * decimals;
  const whole = scaled / divisor;
  const twice = 2n * (scaled % divisor);
  const rounded = twice > divisor || (twice === divisor && whole % 2n === 1n) ? whole + 1n : whole;
  if (rounded <= Number.MAX_SAFE_INTEGER) return Number(rounded) / 1e6;
  return Number(`${rounded / decimals}.${String(rounded % decimals).padStart(6, '0')}`);
}
