import { type Answer, errorAnswer, type ErrorFormat, type WholeAnswer } from '@platform/http';
import type { Fault } from '@platform/rpc';

/** The result of a request: its answer, and what the access log says of it. */
export interface Outcome {
  readonly answer: Answer;
  /** Template of the route, or {@link unmatched}. */
  readonly route: string;
  /** Of a refusal. */
  readonly reason?: string;
  /** Close the connection after the answer. */
  readonly close?: boolean;
}

/** The result of a refused request. */
export interface Refusal extends Outcome {
  readonly answer: WholeAnswer;
  readonly reason: string;
}

/** Route label of requests that match no route. */
export const unmatched = 'unmatched';

/** Makes the outcome of a refused request. `statuses`: those of the method called, where they are other ones. */
export type Refuse = (
  fault: Fault, requestId: string, route: string,
  more?: { readonly close?: boolean; readonly statuses?: ReadonlyMap<string, number> },
) => Refusal;

export function refusingIn(format: ErrorFormat): Refuse {
  return (fault, requestId, route, { close = false, statuses } = {}) => {
    return { answer: errorAnswer(fault, requestId, format, statuses), route, reason: fault.reason, close };
  };
}
