import type { Attempt } from './attempt.ts';

interface Attempted { readonly attempt?: object | undefined }

/** One attempt to answer a request whose handler has several steps. */
export class Steps {
  /** Id of the request. Repeats of the request have the same id; a later request with the same key has another id. */
  readonly request: string;
  readonly last: Attempt;

  constructor(request: string, last: Attempt) {
    this.request = request;
    this.last = last;
  }
}

/**
 * The id (UUID) of a request that is answered in several steps. A repeat of the request uses the id to find what
 * earlier steps have created. Undefined for other requests.
 */
export function repeatedRequest({ attempt }: Attempted): string | undefined {
  return attempt instanceof Steps ? attempt.request : undefined;
}

/**
 * The context for the last step of a request that is answered in several steps. The write of this step is committed
 * together with the answer, so the handler must not read the written rows through another connection.
 */
export function forLastStep<Context extends Attempted>(context: Context): Context {
  return context.attempt instanceof Steps ? { ...context, attempt: context.attempt.last } : context;
}
