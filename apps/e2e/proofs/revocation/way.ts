import type { HttpAnswer } from '@platform/testing';

/** One way to give somebody a right and to take it away again. */
export interface Way {
  readonly name: string;
  /** Gives it; answers the token it is used with. */
  give(): Promise<Right>;
}

export interface Right {
  readonly token: string;
  /** The value of a session that is used in place of the token. */
  readonly session?: string;
  /** Takes it away: when this has resolved, nobody may use it any more. */
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
