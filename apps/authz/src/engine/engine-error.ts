import {
  FgaApiAuthenticationError, FgaApiError, FgaApiNotFoundError, FgaApiRateLimitExceededError, FgaApiValidationError,
} from '@openfga/sdk';

/** Why the engine did not carry out a call. */
export type EngineFailure =
  /** Unreachable, too slow, or an internal error: the call may or may not have had an effect. */
  | 'away'
  /** The engine does not accept our key. */
  | 'key refused'
  /** The engine no longer has the store or the model that this service uses. */
  | 'store lost'
  /** A strict write failed: a tuple to write exists, a tuple to delete is missing, or another write came first. */
  | 'conflict'
  /** The model does not know a type or a relation in the question or in the tuples. */
  | 'refused'
  /** A malformed answer. */
  | 'nonsense';

/** A failed call of the engine, without headers and bodies, so that no secret gets into a log. */
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

/** OpenFGA's messages for a strict write that conflicts with stored tuples. The code is the same for invalid writes. */
const conflictTexts = [/already exists/, /does not exist/, /transactional write failed due to conflict/];
const lostCodes = new Set([
  'store_id_not_found', 'authorization_model_not_found', 'latest_authorization_model_not_found',
]);

/**
 * Calls whose types and relations come from callers. This service builds all other calls, so their refusal is
 * `nonsense`.
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
  // The answer to a Write that lost against a concurrent Write.
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
