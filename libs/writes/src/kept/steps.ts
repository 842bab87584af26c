import type { Attempt } from './attempt.ts';

interface Attempted { readonly attempt?: object | undefined }

/** One attempt to answer a request whose handler has several steps. */
export class Steps {
  /** Id that a request shares with its repeats. A request after the key has expired gets another id. */
  readonly request: string;
  readonly last: Attempt;

  constructor(request: string, last: Attempt) {
    this.request = request;
    this.last = last;
  }
}

/**
 * Returns the id (UUID) of a request with several steps. A repeat has the same id, and finds by it what earlier steps
 * have created. Undefined for other requests.
 */
export function repeatedRequest({ attempt }: Attempted): string | undefined {
  return attempt instanceof Steps ? attempt.request : undefined;
}

/**
 * Returns the context for the last step of a request with several steps. The write of this step is committed together
 * with the answer. Before its answer, the handler cannot read the written rows through another connection.
 */
export function forLastStep<Context extends Attempted>(context: Context): Context {
  return context.attempt instanceof Steps ? { ...context, attempt: context.attempt.last } : context;
}
