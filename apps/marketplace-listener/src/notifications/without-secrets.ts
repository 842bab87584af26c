import { InexactNumber } from '@platform/rest';

/** Members with such names hold secrets (open-points 11.8): `adminPassword`, `storageSecret`, `accessKeyId`, `auth`. */
const secret = /password|secret|token|key|^auth$|credential/i;

/** A value without its secrets, for the audit. Numbers that a double would change become texts. */
export function withoutSecrets(value: unknown): unknown {
  if (value instanceof InexactNumber) return String(value.nearest);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !secret.test(key)).map(([key, inner]) => [key, withoutSecrets(inner)]),
  );
}
