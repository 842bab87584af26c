/** Bytes of a body that is read at once. Reading a larger one keeps the event loop for milliseconds. */
export const smallBody = 64 * 1024;

/** So many times as long as work has kept the event loop, the loop is then left to others. */
const restFactor = 3;

/**
 * Runs work that keeps the event loop for long one piece after the other, with rests in between. Sources take turns:
 * one with much work does not keep the work of another.
 */
export class Turns {
  /** What waits, by source; the source that is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isTaken = false;

  /** @param source as limits count it */
  async run<Result>(source: string, work: () => Result): Promise<Result> {
    if (this.#isTaken) await this.#turnOf(source);
    this.#isTaken = true;
    const begun = performance.now();
    try {
      return work();
    } finally {
      setTimeout(() => this.#next(), restFactor * (performance.now() - begun));
    }
  }

  #turnOf(source: string): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#waiting.get(source);
      if (before) before.push(resolve);
      else this.#waiting.set(source, [resolve]);
    });
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#isTaken = false;
      return;
    }
    const [source, works] = first;
    const begin = works.shift()!;
    this.#waiting.delete(source);
    if (works.length > 0) this.#waiting.set(source, works);
    begin();
  }
}
