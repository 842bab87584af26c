import type { Answer } from './endpoint/answer.ts';

/** A route of the gateway itself: GET and HEAD, for everybody. */
export interface Page {
  /** Without parameters. */
  readonly path: string;
  /** May be asked for as often as anybody likes: those who watch the platform. */
  readonly unlimited?: true;
  answer(): Answer | Promise<Answer>;
}
