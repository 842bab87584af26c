import {
  FgaApiAuthenticationError, FgaApiError, FgaApiNotFoundError, FgaApiRateLimitExceededError, FgaApiValidationError,
} from '@openfga/sdk';

/** Why a call to the engine failed. */
export type EngineFailure =
  /** For example no connection, no answer in time, or an error inside the engine. The call may have had an effect. */
  | 'away'
  /** The engine does not accept our key. */
  | 'key refused'
  /** The store or the model no longer exists, or this service must use another store or model. */
  | 'store lost'
  /** The write conflicts with the stored tuples or with another write. */
  | 'conflict'
  /** The engine rejects a filter or tuples of the caller, for example because of an unknown type or relation. */
  | 'refused'
  /** A malformed answer, or a rejection of a request that this service built itself. */
  | 'nonsense';

/**
 * A failed call to the engine. The SDK's error is not kept as the cause, because that error contains headers and whole
 * bodies, which must not be logged.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly failure: EngineFailure;

  constructor(failure: EngineFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** @param ended why this service stopped waiting for the answer; undefined if it did not stop */
export function engineError(call: string, error: unknown, ended?: string): EngineError {
  if (error instanceof EngineError) return error;
  const said = error instanceof FgaApiError
    ? `${error.statusCode ?? 'no status'} ${textOf(error.responseData)}`
    : (ended ?? (error instanceof Error ? error.message : String(error)));
  return new EngineError(failureOf(call, error), `${call}: ${said}`);
}

/**
 * Patterns of OpenFGA's messages for a write that conflicts with stored tuples or with another write. The error code
 * does not show the conflict, because OpenFGA uses the same code for other invalid writes.
 */
const conflictTexts = [/already exists/, /does not exist/, /transactional write failed due to conflict/];
const lostCodes = new Set([
  'store_id_not_found', 'authorization_model_not_found', 'latest_authorization_model_not_found',
]);

/**
 * The calls to OpenFGA in which callers of this service may choose types and relations. This service alone determines
 * the content of the other calls. So a failure `refused` of another call is reported as `nonsense`.
 */
const callersOwn = new Set(['Read', 'Write']);

function failureOf(call: string, error: unknown): EngineFailure {
  const failure = answeredFailure(error);
  return failure === 'refused' && !callersOwn.has(call) ? 'nonsense' : failure;
}

function answeredFailure(error: unknown): EngineFailure {
  if (error instanceof FgaApiAuthenticationError) return 'key refused';
  if (error instanceof FgaApiRateLimitExceededError) return 'away';
  if (error instanceof FgaApiValidationError || error instanceof FgaApiNotFoundError) {
    const { code, message } = bodyOf(error.responseData);
    if (lostCodes.has(code)) return 'store lost';
    if (code === 'write_failed_due_to_invalid_input') {
      return conflictTexts.some((text) => text.test(message)) ? 'conflict' : 'refused';
    }
    if (error instanceof FgaApiValidationError) return code === '' ? 'nonsense' : 'refused';
    return 'nonsense';
  }
  // OpenFGA answers 409 to a Write that conflicts with a concurrent Write.
  if (error instanceof FgaApiError && error.statusCode === 409) return 'conflict';
  return 'away';
}

function bodyOf(data: unknown): { code: string; message: string } {
  const body = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return { code: text(body['code']), message: text(body['message']) };
}

function textOf(data: unknown): string {
  const { code, message } = bodyOf(data);
  return `${code} ${message}`.trim().slice(0, 300);
}
