import { InexactNumber, isObject } from '@platform/rest';
import type { Violations } from '@platform/values';

/** Maximum size of the `options` of a notification as JSON, in bytes (open-points 1.9). */
const mostBytes = 256 * 1024;
/** Maximum depth of nesting in `options` (open-points 1.9). */
const deepest = 32;

type Kind = 'text' | 'texts' | 'free' | { readonly [key: string]: Kind };

/** The types of known keys (open-points 11.2). Other keys may have any type. `free` means a string or an object. */
const known: Kind = {
  infra: {
    dns: { provider: 'text', targetIPs: 'texts' },
    cloudServices: { provider: 'text', objstore: { auth: 'free', bucket: 'text', prefix: 'text' } },
  },
  productbackup: { backend: 'text', schedule: 'text', retentionPolicy: 'text', storageSecret: 'free' },
};

export function noteOptions(given: unknown, path: string, violations: Violations): void {
  if (!isObject(given)) return violations.note(path, 'must be an object');
  const excess = excessOf(given, 1);
  if (excess !== undefined) return violations.note(path, excess);
  const size = Buffer.byteLength(JSON.stringify(given));
  if (size > mostBytes) return violations.note(path, `must have at most ${mostBytes} bytes`);
  noteKind(given, known, path, violations);
}

function noteKind(value: unknown, kind: Kind, path: string, violations: Violations): void {
  if (value === undefined || value === null) return;
  const wrong = (message: string): void => violations.note(path, message);
  switch (kind) {
    case 'text':
      if (typeof value !== 'string') wrong('must be a string');
      return;
    case 'texts':
      if (!Array.isArray(value)) return wrong('must be a list');
      value.forEach((item: unknown, index) => {
        if (typeof item !== 'string') violations.note(`${path}[${index}]`, 'must be a string');
      });
      return;
    case 'free':
      if (typeof value !== 'string' && !isObject(value)) wrong('must be a string or an object');
      return;
    default:
      if (!isObject(value)) return wrong('must be an object');
      for (const [key, inner] of Object.entries(kind)) {
        noteKind(Object.hasOwn(value, key) ? value[key] : undefined, inner, `${path}.${key}`, violations);
      }
  }
}

/** Returns an error message if a value is nested too deeply or has an inexact number, else undefined. */
function excessOf(value: unknown, depth: number): string | undefined {
  if (value instanceof InexactNumber) return 'must not contain numbers that a double cannot represent';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > deepest) return `must not be nested deeper than ${deepest} levels`;
  for (const inner of Object.values(value)) {
    const excess = excessOf(inner, depth + 1);
    if (excess !== undefined) return excess;
  }
  return undefined;
}
