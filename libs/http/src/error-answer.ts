import { Fault, type ReasonName } from '@platform/faults';
import type { Answer, WholeAnswer } from './answer.ts';

export interface ErrorFormat {
  body(fault: Fault, requestId: string): Record<string, unknown>;
  /** HTTP statuses by reason. They replace the usual statuses of these reasons. */
  readonly statuses?: Partial<Readonly<Record<ReasonName, number>>>;
}

/** Returns the error format of the main API (open-points 1.6). @param baseUrl returns the platform's public address */
export function mainErrors(baseUrl: () => string): ErrorFormat {
  return {
    // If a marketplace refused the request, the body has the marketplace's own code and error (open-points 11.6).
    body: ({ message, reason, violations, metadata: { providerCode, providerError } }, requestId) => ({
      message,
      url: `${baseUrl()}/api/swagger`,
      code: providerCode || reason.toLowerCase(),
      requestId,
      ...(violations.length > 0 ? { errors: violations } : {}),
      ...(providerCode === undefined ? {} : { origErr: JSON.parse(providerError ?? '{}') as unknown }),
    }),
  };
}

/** The error body of the marketplace listener, and its status for MALFORMED_BODY (spec §2.8, open-points 1.6, 11.1). */
export const listenerErrors: ErrorFormat = {
  body: ({ message, reason }, requestId) => ({ message, code: reason.toLowerCase(), requestId }),
  statuses: { MALFORMED_BODY: 400 },
};

const contentType: [string, string] = ['Content-Type', 'application/json'];

/**
 * Returns the answer to a refused request (open-points 1.6). The answer does not show the cause of the fault.
 * @param ofMethod HTTP statuses of the called method, by reason. They take precedence over other statuses.
 */
export function errorAnswer(
  fault: Fault, requestId: string, { body, statuses }: ErrorFormat, ofMethod?: ReadonlyMap<string, number>,
): WholeAnswer {
  const status = ofMethod?.get(fault.reason) ?? statuses?.[fault.reason] ?? fault.meaning.httpStatus;
  const headers: Answer['headers'] = [contentType];
  if (status === 401) headers.push(['WWW-Authenticate', 'Bearer']);
  if (status === 429 || status === 503)
    headers.push(['Retry-After', String(Math.max(1, Math.ceil(fault.retryAfterSeconds ?? 1)))]);
  const { allow, rateLimit, rateLimitPolicy } = fault.metadata;
  if (allow !== undefined) headers.push(['Allow', allow]);
  if (rateLimit !== undefined) headers.push(['RateLimit', rateLimit]);
  if (rateLimitPolicy !== undefined) headers.push(['RateLimit-Policy', rateLimitPolicy]);
  return { status, headers, body: JSON.stringify(body(fault, requestId)) };
}

/** The fault for a method that a path does not have. @param allow value of the header `Allow` of the refusal */
export function methodNotAllowed(allow: string): Fault {
  return new Fault('METHOD_NOT_ALLOWED', `this path allows ${allow}`, { metadata: { allow } });
}

/** The answer to OPTIONS (open-points 1.2). */
export function allowAnswer(allow: string): WholeAnswer {
  return { status: 204, headers: [['Allow', allow]], body: '' };
}

/** The answer for unknown paths and for routes that this deployment does not register (open-points 1.2). */
export function notFoundAnswer(): WholeAnswer {
  return { status: 404, headers: [contentType], body: '{"message":"Not Found"}' };
}
