/** Number of equal shares of the memory. One source may use one share, so that it cannot fill the memory. */
export const sharesOfMemory = 4;

/** Counts the bytes of callers' messages that are held in memory, in all and per source. */
export class CallersMemory {
  readonly #most: number;
  readonly #bySource = new Map<string, number>();
  #held = 0;

  /** @param most maximum bytes of all sources together; one source may hold a quarter of them */
  constructor(most: number) {
    this.#most = most;
  }

  get held(): number {
    return this.#held;
  }

  /**
   * Counts bytes of a source ({@link sourceOf}) until {@link give} is called. Returns false, and counts nothing, if a
   * limit would be exceeded.
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
