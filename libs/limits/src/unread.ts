import { type Logger, seldom } from '@platform/service';
import { sharesOfMemory } from './memory.ts';

interface Answer { readonly bytes: number; readonly source: string; readonly cut: () => void }

/**
 * Limits the memory for unread answers. If a source exceeds its limit, its oldest answers are cut off. If all sources
 * together exceed the total limit, the oldest answers of any source are cut off.
 */
export class UnreadAnswers {
  readonly #most: number;
  readonly #log: Logger;
  readonly #said = seldom();
  /** Unread answers, the oldest first. */
  readonly #waiting = new Set<Answer>();
  readonly #bySource = new Map<string, number>();
  #held = 0;

  /**
   * @param most maximum bytes of the unread answers of all sources together. The limit for one source is a quarter of
   *   `most`. The newest answer may exceed both limits, because {@link hold} cuts off only older answers.
   */
  constructor(most: number, log: Logger) {
    this.#most = most;
    this.#log = log;
  }

  /**
   * Counts an unread answer of a source ({@link sourceOf}) until the returned function is called, or until the answer
   * is cut off. If a limit is exceeded, cuts off older answers.
   * @param cut aborts the answer; called if the answer is cut off
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

  /**
   * Cuts off the oldest answer that is older than `last`. If a source is given, the answer must be of this source.
   * Returns false if no answer was cut off.
   */
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
