import type { Method } from '@platform/surface';
import type { CallContext, RepeatKey } from '../call-context.ts';

/** How the response of a method is kept. */
export interface ResponseCodec<Response> {
  encode(response: Response): Uint8Array;
  decode(bytes: Buffer): Response;
}

/** Answers requests that clients may repeat, each once (open-points 18.8); libs/writes has the one of a service. */
export interface KeptAnswers {
  /**
   * Answers by the kept answer, else by `act`, whose response or refusal is kept. The guard has admitted the caller.
   * @param act runs the method in a context with this attempt
   * @throws Fault IDEMPOTENCY_KEY_REUSED, CONFLICT while another request of the key is under way, and what `act`
   *   throws; a kept refusal has `replayed` among its metadata
   */
  answer<Response>(
    repeat: RepeatKey,
    call: Pick<CallContext, 'caller' | 'deadline'> & { readonly method: Method },
    codec: ResponseCodec<Response>,
    act: (attempt: object) => Promise<Response>,
  ): Promise<{ readonly response: Response; readonly replayed: boolean }>;
}
