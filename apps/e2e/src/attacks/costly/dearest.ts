import type { SeededRandom } from '@platform/testing';
import type { Cost } from './process-cost.ts';
import type { Shape } from './shape.ts';
import type { Sender } from './targets.ts';

/** A request that was sent, and its cost. */
export interface Sent {
  /** Name of the target. */
  readonly target: string;
  readonly sender: Sender;
  readonly shape: Shape;
  readonly beginning: string;
  readonly cost: Cost;
}

/**
 * The most expensive requests by one measure: the most expensive of each target and sender, and the first few of these.
 */
export class Dearest {
  readonly #measure: (cost: Cost) => number;
  readonly #most: number;
  #kept: Sent[];

  /** @param kept results of an earlier search */
  constructor(measure: (cost: Cost) => number, most: number, kept: readonly Sent[] = []) {
    this.#measure = measure;
    this.#most = most;
    this.#kept = [...kept];
  }

  /** The most expensive request first. */
  get all(): readonly Sent[] {
    return this.#kept;
  }

  /** Whether a request of this cost would be among the kept ones. */
  admits(cost: Cost): boolean {
    const last = this.#kept.length < this.#most ? undefined : this.#kept.at(-1);
    return last === undefined || this.#measure(cost) > this.#measure(last.cost);
  }

  add(sent: Sent): void {
    const known = this.#kept.find(({ target, sender }) => target === sent.target && sender === sent.sender);
    if (known !== undefined && this.#measure(known.cost) >= this.#measure(sent.cost)) return;
    this.#kept = [...this.#kept.filter((one) => one !== known), sent]
      .sort((one, other) => this.#measure(other.cost) - this.#measure(one.cost))
      .slice(0, this.#most);
  }

  pick(random: SeededRandom): Sent | undefined {
    return this.#kept.length === 0 ? undefined : random.pick(this.#kept);
  }
}
