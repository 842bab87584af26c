export type Fits = (value: unknown) => boolean;

export const text: Fits = (value) => typeof value === 'string';
export const flag: Fits = (value) => typeof value === 'boolean';
export const count: Fits = (value) => Number.isSafeInteger(value);

export function listOf(fits: Fits): Fits {
  return (value) => Array.isArray(value) && value.every(fits);
}

export function mapOf(fits: Fits): Fits {
  return (value) => isObject(value) && Object.values(value).every(fits);
}

/** Returns a check for an object. Fields in `fields` may be absent, fields in `required` must exist. */
export function object(fields: Readonly<Record<string, Fits>>, required: Readonly<Record<string, Fits>> = {}): Fits {
  return (value) => isObject(value)
    && Object.entries(required).every(([name, fits]) => fits(value[name]))
    && Object.entries(fields).every(([name, fits]) => value[name] === undefined || fits(value[name]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
