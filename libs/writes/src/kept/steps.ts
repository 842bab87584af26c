import type { Attempt } from './attempt.ts';

/** The part of a context that says how its answer is kept. */
interface Attempted {
  readonly attempt?: object | undefined;
}

/** One attempt to answer a request whose answer is kept after several steps. */
export class Steps {
  /** Names the request: its repeats have the same id, and those of another one with the same key later do not. */
  readonly request: string;
  /** Keeps the answer in the transaction of the last step. */
  readonly last: Attempt;

  constructor(request: string, last: Attempt) {
    this.request = request;
    this.last = last;
  }
}

/**
 * The id of a request that is answered in several steps, a UUID: what a step has made under it, a repeat finds again.
 * Undefined without `Idempotency-Key`.
 */
export function repeatedRequest({ attempt }: Attempted): string | undefined {
  return attempt instanceof Steps ? attempt.request : undefined;
}

/**
 * The context of the last step of a request that is answered in several: its write is committed with the answer, so
 * the handler must not read by another connection what it has written.
 */
export function forLastStep<Context extends Attempted>(context: Context): Context {
  return context.attempt instanceof Steps ? { ...context, attempt: context.attempt.last } : context;
}
