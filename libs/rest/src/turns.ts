import { createLimiter } from '@platform/service';

/** Length of the pause after a piece of work, as a multiple of the time that the work took. */
const restFactor = 3;

/**
 * Runs pieces of work that block the event loop for long. Runs one piece at a time, with pauses in between. The source
 * addresses of clients take turns.
 */
export class Turns {
  readonly #limiter = createLimiter(1, 'the turn of a large body');

  async run<Result>(source: string, work: () => Result): Promise<Result> {
    const leave = await this.#limiter.enter(undefined, source);
    const begun = performance.now();
    try {
      return work();
    } finally {
      setTimeout(leave, restFactor * (performance.now() - begun));
    }
  }
}
