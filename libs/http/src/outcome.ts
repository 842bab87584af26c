import type { Fault } from '@platform/faults';
import type { Logger } from '@platform/service';
import type { Answer, WholeAnswer } from './answer.ts';
import { errorAnswer, type ErrorFormat } from './error-answer.ts';

/** The answer to a request, fields for the access log, and whether the connection closes after the answer. */
export interface Outcome {
  readonly answer: Answer;
  /** Template of the route, or {@link unmatched}. */
  readonly route: string;
  /** Reason of the refusal; absent if the request was not refused. */
  readonly reason?: string;
  readonly close?: boolean;
}

export interface WholeOutcome extends Outcome {
  readonly answer: WholeAnswer;
}

export type Refusal = WholeOutcome & { readonly reason: string };

export const unmatched = 'unmatched';

/** Creates the outcome of a refused request. `statuses` has HTTP statuses by reason, in place of the usual statuses. */
export type Refuse = (
  fault: Fault, requestId: string, route: string,
  more?: { readonly close?: boolean; readonly statuses?: ReadonlyMap<string, number> },
) => Refusal;

/** Returns a function that creates refusals in this format. It logs faults with the reason INTERNAL. */
export function refusingIn(format: ErrorFormat, log: Logger): Refuse {
  return (fault, requestId, route, { close = false, statuses } = {}) => {
    const { reason } = fault;
    if (reason === 'INTERNAL') log.error({ requestId, route, error: fault.cause ?? fault }, 'request failed');
    return { answer: errorAnswer(fault, requestId, format, statuses), route, reason, close };
  };
}
