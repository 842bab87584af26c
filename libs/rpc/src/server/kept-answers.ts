import type { CallContext, RepeatKey } from '../call-context.ts';

/** Converts a response of a method to bytes that are kept, and back. */
export interface ResponseCodec<Response> {
  encode(response: Response): Uint8Array;
  decode(bytes: Buffer): Response;
}

/** Executes each repeatable request only once (open-points 18.8). Implemented in libs/writes. */
export interface KeptAnswers {
  /**
   * Returns the kept answer, or runs `act` and keeps its response or refusal. The guard has admitted the caller.
   * @throws Fault IDEMPOTENCY_KEY_REUSED; CONFLICT while another request with the key is in progress; MISSING_SCOPE for
   *   another token without the scope `all`; the errors of `act`. A kept refusal has `replayed` in its metadata
   */
  answer<Response>(
    repeat: RepeatKey, call: Pick<CallContext, 'caller' | 'deadline' | 'method'>, codec: ResponseCodec<Response>,
    act: (attempt: object) => Promise<Response>,
  ): Promise<{ readonly response: Response; readonly replayed: boolean }>;
}
