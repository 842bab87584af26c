/** The values of a form, by the name of the field. */
export type Values = Record<string, unknown>;

/** Formats amounts with at most two decimals, or three significant digits if that is more precise. */
export const figures = new Intl.NumberFormat(undefined, {
  maximumFractionDigits: 2, maximumSignificantDigits: 3, roundingPriority: 'morePrecision',
});

export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Returns the values for the API, without empty fields. */
export function given(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isBlank(value)));
}

/** Converts a local time, such as `2026-11-27T13:05` from a field of the kind `moment`, to RFC 3339. */
export const instantOf = (value: unknown): string => new Date(String(value)).toISOString();
/** Converts a local time, such as `2026-11-27T13:05`, to Unix seconds. */
export const secondsOf = (value: unknown): number => Math.floor(Date.parse(instantOf(value)) / 1_000);

/** Converts Unix seconds to a local time, such as `2026-11-27T13:05`. */
export function localOf(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
