import { type Fault } from '@platform/rpc';
import type { Answer } from './endpoint/answer.ts';
import { errorAnswer } from './http/error-answer.ts';

/** What came of a request: its answer, and what is told of it. */
export interface Outcome {
  readonly answer: Answer;
  /** Template of the route, or {@link unmatched}. */
  readonly route: string;
  /** Of a refusal. */
  readonly reason?: string;
  /** The connection ends with it. */
  readonly close?: boolean;
}

/** Label of requests that no route takes. */
export const unmatched = 'unmatched';

/** The outcome of a refused request. */
export type Refuse = (fault: Fault, requestId: string, route: string, more?: Partial<Outcome>) => Outcome;

export function refusingAt(baseUrl: () => string): Refuse {
  return (fault, requestId, route, more = {}) => {
    const listener = route.startsWith('/marketplace/');
    const answer = errorAnswer(fault, { requestId, baseUrl: baseUrl(), listener });
    return { answer, route, reason: fault.reason, ...more };
  };
}
