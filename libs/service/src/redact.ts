import { Secret } from './secret.ts';

const mask = '[redacted]';
const secretName =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|.*token|.*secret|.*password|.*credentials?|presharedkey)$/i;
const tokenValue = /\b[0-9a-f]{40}\b/g;
const carrier = /\b((?:bearer|basic)\s+|token\s+(?=[^\s"',;]{20}))[^\s"',;]+/gi;
const parameter = /([?&](?:access_token|token)=)[^&\s"'#]*/gi;
/** Matches a URL with a password. A match must begin a word, otherwise a long word would be read many times. */
const userInfo = /((?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s:/@]*:)[^\s@/]+@/gi;
const deepest = 6;

/**
 * Returns a copy of log fields. Masks the values of fields with names such as `authorization`, and known forms of
 * secrets in all texts ({@link redactText}).
 */
export function redacted(fields: Record<string, unknown>): Record<string, unknown> {
  return redactObject(fields, 0);
}

/** Masks known forms of secrets in a text, such as `Bearer …`, `?token=…`, or a password in a URL. */
export function redactText(text: string): string {
  if (text.length < 6) return text;
  return text
    .replace(parameter, `$1${mask}`)
    .replace(tokenValue, mask)
    .replace(carrier, `$1${mask}`)
    .replace(userInfo, `$1${mask}@`);
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Secret) return value.toString();
  if (value instanceof Date) return value;
  if (depth >= deepest) return '[deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  if (value instanceof Map) return redactObject(Object.fromEntries(value), depth + 1);
  if (value instanceof Set) return redactValue([...value], depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return redactObject(value as Record<string, unknown>, depth + 1);
}

function redactObject(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    result[name] = secretName.test(name) && hidesSomething(value) ? mask : redactValue(value, depth);
  }
  return result;
}

function hidesSomething(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null);
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  return {
    type: error.name,
    message: redactText(error.message),
    stack: error.stack === undefined ? undefined : redactText(error.stack),
    ...redactObject({ ...error }, depth + 1),
    ...(error.cause === undefined ? {} : { cause: redactValue(error.cause, depth + 1) }),
    ...(error instanceof AggregateError ? { errors: redactValue(error.errors, depth + 1) } : {}),
  };
}
