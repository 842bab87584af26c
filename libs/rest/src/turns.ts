import { createLimiter } from '@platform/service';

/** So many times as long as work has kept the event loop, the loop is then left to others. */
const restFactor = 3;

/**
 * Runs work that keeps the event loop for long one piece after the other, with rests in between. Sources take turns:
 * one with much work does not keep the work of another.
 */
export class Turns {
  readonly #limiter = createLimiter(1, 'the turn of a large body');

  /** @param source as limits count it */
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
