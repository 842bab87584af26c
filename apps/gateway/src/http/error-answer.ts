import { type Fault } from '@platform/rpc';
import type { Answer } from '../endpoint/answer.ts';

/** What an error answer says beside its fault. */
export interface ErrorContext {
  readonly requestId: string;
  readonly baseUrl: string;
  /** Routes of the marketplace listener answer without `url` (open-points 1.6). */
  readonly listener?: boolean;
}

const contentType: [string, string] = ['Content-Type', 'application/json'];

/** The answer to a refused request (open-points 1.6). Nothing of its cause is in it. */
export function errorAnswer(fault: Fault, { requestId, baseUrl, listener }: ErrorContext): Answer {
  const status = fault.meaning.httpStatus;
  const headers: Answer['headers'] = [contentType];
  if (status === 401) headers.push(['WWW-Authenticate', 'Bearer']);
  if (status === 429 || status === 503)
    headers.push(['Retry-After', String(Math.max(1, Math.ceil(fault.retryAfterSeconds ?? 1)))]);
  const { rateLimit, rateLimitPolicy } = fault.metadata;
  if (rateLimit !== undefined) headers.push(['RateLimit', rateLimit]);
  if (rateLimitPolicy !== undefined) headers.push(['RateLimit-Policy', rateLimitPolicy]);
  return {
    status,
    headers,
    body: JSON.stringify({
      message: fault.message,
      ...(listener ? {} : { url: `${baseUrl}/api/swagger` }),
      code: fault.reason.toLowerCase(),
      requestId,
      ...(fault.violations.length > 0 ? { errors: fault.violations } : {}),
    }),
  };
}

/** A path nobody knows, or that this deployment does not have: always the same bytes (open-points 1.2). */
export function notFoundAnswer(): Answer {
  return { status: 404, headers: [contentType], body: '{"message":"Not Found"}' };
}
