import type { Attempt } from './attempt.ts';

interface Attempted { readonly attempt?: object | undefined }

/** One attempt to answer a request whose handler has several steps. */
export class Steps {
  /**
   * Id that a request shares with its repeats. Repeats have the same `Idempotency-Key`. After this key has expired, a
   * request with the key gets another id.
   */
  readonly request: string;
  readonly last: Attempt;

  constructor(request: string, last: Attempt) {
    this.request = request;
    this.last = last;
  }
}

/**
 * Returns the id (UUID) of a request that has an `Idempotency-Key` and several steps. A repeat has the same id. With
 * the id, the repeat finds what earlier attempts have created. Returns undefined for other requests.
 */
export function repeatedRequest({ attempt }: Attempted): string | undefined {
  return attempt instanceof Steps ? attempt.request : undefined;
}

/**
 * Returns the context for the last step of a request with several steps. In a request with an `Idempotency-Key`, the
 * write of this step is committed only after the handler has answered. So the handler cannot read the written rows
 * through another connection. A kept answer is stored in the same transaction.
 */
export function forLastStep<Context extends Attempted>(context: Context): Context {
  return context.attempt instanceof Steps ? { ...context, attempt: context.attempt.last } : context;
}
