import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const form = /^[A-Za-z0-9._-]{1,64}$/;

/** The request's id: the caller's own when it is valid, else a new one (open-points 1.7). */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && form.test(given) ? given : randomUUID();
}
