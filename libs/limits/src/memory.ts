/** So many sources must come together to fill the memory: one alone leaves room for the others. */
const sharesOfMemory = 4;

/** Counts the bytes that are held in memory of what callers send, over all of them. */
export class CallersMemory {
  readonly #most: number;
  readonly #bySource = new Map<string, number>();
  #held = 0;

  /** @param most bytes; a quarter of it for one source */
  constructor(most: number) {
    this.#most = most;
  }

  get held(): number {
    return this.#held;
  }

  /**
   * Answers whether so many more bytes of this source may be held; if so, they count until {@link give}n back.
   * @param source as limits count it, see {@link sourceOf}
   */
  take(bytes: number, source: string): boolean {
    const own = (this.#bySource.get(source) ?? 0) + bytes;
    if (this.#held + bytes > this.#most || own > this.#most / sharesOfMemory) return false;
    this.#bySource.set(source, own);
    this.#held += bytes;
    return true;
  }

  give(bytes: number, source: string): void {
    if (bytes === 0) return;
    const left = this.#bySource.get(source)! - bytes;
    if (left === 0) this.#bySource.delete(source);
    else this.#bySource.set(source, left);
    this.#held -= bytes;
  }
}
