import type { Answer } from './endpoint/answer.ts';

/** A route of the gateway itself: GET and HEAD, for everybody. */
export interface Page {
  /** Without parameters. */
  readonly path: string;
  answer(): Answer | Promise<Answer>;
}
