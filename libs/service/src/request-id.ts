import { randomUUID } from 'node:crypto';

const form = /^[A-Za-z0-9._-]{1,64}$/;

/** The id of a request: the caller's id if it is valid, else a new one (open-points 1.7). */
export function requestIdOf(given: unknown): string {
  return typeof given === 'string' && form.test(given) ? given : randomUUID();
}
