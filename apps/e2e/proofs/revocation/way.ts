import { Fault } from '@platform/faults';
import { DeadlineExceeded, repeatUntil } from '@platform/service';
import type { HttpAnswer } from '@platform/testing';

/** One way to grant a right to a user and to revoke it. */
export interface Way {
  readonly name: string;
  /** Grants the right; returns the token with which to use it. */
  give(): Promise<Right>;
}

export interface Right {
  readonly token: string;
  /** The cookie of a session to use instead of the token. */
  readonly session?: string;
  /** Revokes the right: after this has resolved, every use must be refused. */
  take(): Promise<void>;
}

/** Repeats a change until it succeeds, because the engine may be unavailable. All these changes may be repeated. */
export async function done(change: () => Promise<HttpAnswer>, also: readonly number[] = []): Promise<HttpAnswer> {
  const end = performance.now() + 30_000;
  for (;;) {
    const answer = await change();
    if (answer.status < 400 || also.includes(answer.status)) return answer;
    const passing = answer.status >= 500 || answer.status === 409;
    if (!passing || performance.now() > end) throw new Error(`${answer.status}: ${answer.text}`);
  }
}

/** Repeats a call of the operator until it succeeds. All these calls may be repeated. */
export function answered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  return repeatUntil(call, {
    signal: AbortSignal.timeout(30_000),
    again: (error) => error instanceof DeadlineExceeded || (error instanceof Fault && error.meaning.httpStatus >= 500),
  });
}

/** After a lost answer, a repeated removal finds nothing. */
export function alreadyGone(error: unknown): void {
  if (!(error instanceof Fault && error.meaning.httpStatus === 404)) throw error;
}
