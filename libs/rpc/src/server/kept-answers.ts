import type { CallContext, RepeatKey } from '../call-context.ts';

/** Converts a response of a method to bytes that are kept, and back. */
export interface ResponseCodec<Response> {
  encode(response: Response): Uint8Array;
  decode(bytes: Buffer): Response;
}

/**
 * Keeps the answers to requests with `Idempotency-Key`, so that a repeated request gets the same answer (open-points
 * 18.8). Implemented in libs/writes.
 */
export interface KeptAnswers {
  /**
   * Returns the kept answer, or runs `act` and keeps its response. Also keeps the refusals that open-points 18.8 names.
   * Call this only after the guard has admitted the caller.
   * @throws Fault IDEMPOTENCY_KEY_REUSED for another body; CONFLICT while another request with the key is in progress;
   *   MISSING_SCOPE if another token sent the first request and this token does not have the scope `all`; the errors of
   *   `act`. A refusal that is returned again has `replayed` in its metadata
   */
  answer<Response>(
    repeat: RepeatKey, call: Pick<CallContext, 'caller' | 'deadline' | 'method'>, codec: ResponseCodec<Response>,
    act: (attempt: object) => Promise<Response>,
  ): Promise<{ readonly response: Response; readonly replayed: boolean }>;
}
