import { type Logger, seldom } from '@platform/service';

/** As of messages that arrive: one source alone leaves room for the others. */
const sharesOfMemory = 4;

interface Answer {
  readonly bytes: number;
  readonly source: string;
  readonly cut: () => void;
}

/**
 * Bounds what is held in memory of answers that callers do not read. Beyond it the answer is cut that has waited
 * longest: first of the source that has too many, then of all.
 */
export class UnreadAnswers {
  readonly #most: number;
  readonly #log: Logger;
  readonly #said = seldom();
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<Answer>();
  readonly #bySource = new Map<string, number>();
  #held = 0;

  /** @param most bytes; a quarter of it for one source. A single answer may be larger. */
  constructor(most: number, log: Logger) {
    this.#most = most;
    this.#log = log;
  }

  /**
   * Counts an answer until the returned function is called, when it has left.
   * @param source as limits count it, see {@link sourceOf}
   * @param cut ends the answer in the middle
   */
  hold(bytes: number, source: string, cut: () => void): () => void {
    const answer = { bytes, source, cut };
    this.#waiting.add(answer);
    this.#held += bytes;
    this.#bySource.set(source, this.#of(source) + bytes);
    while (this.#of(source) > this.#most / sharesOfMemory && this.#cutBefore(answer, source));
    while (this.#held > this.#most && this.#cutBefore(answer));
    return () => this.#release(answer);
  }

  #of(source: string): number {
    return this.#bySource.get(source) ?? 0;
  }

  /** Cuts the oldest answer, of any source unless one is given. Returns false when the last one is all that is left. */
  #cutBefore(last: Answer, source?: string): boolean {
    for (const answer of this.#waiting) {
      if (answer === last) break;
      if (source !== undefined && answer.source !== source) continue;
      this.#release(answer);
      const about = { source: answer.source, leftOut: this.#said(answer.source) };
      if (about.leftOut !== undefined) this.#log.warn(about, 'an answer was cut off: the client does not read it');
      answer.cut();
      return true;
    }
    return false;
  }

  #release(answer: Answer): void {
    if (!this.#waiting.delete(answer)) return;
    const { bytes, source } = answer;
    const left = this.#of(source) - bytes;
    if (left === 0) this.#bySource.delete(source);
    else this.#bySource.set(source, left);
    this.#held -= bytes;
  }
}
