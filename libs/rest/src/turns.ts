import { createLimiter } from '@platform/service';

/** How long the event loop stays free after a piece of work, as a multiple of the time this work took. */
const restFactor = 3;

/**
 * Runs work that blocks the event loop for long, one piece after the other, with pauses in between. Sources take turns,
 * so that a source with much work does not delay the work of others.
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
