import type { Transaction } from '@platform/postgres';
import { AdmissionChanged } from '@platform/rpc';
import { type Deadline, within } from '@platform/service';
import type { Outcome } from './store.ts';

/** The functions of an {@link Attempt} that the write path calls in each transaction. */
export interface Step {
  /**
   * Called at the start of the transaction. @throws an error if the write must not run, such as Fault CONFLICT while
   * another request with the same key is under way
   */
  enter(transaction: Transaction): Promise<void>;
  /**
   * Called before the commit. Gives the result to the handler. Then waits for the next write or for the answer. If the
   * answer is to be kept for repeats, stores the answer in the transaction.
   */
  handOut(transaction: Transaction, result: unknown): Promise<void>;
}

interface Keeping extends Pick<Step, 'enter'> {
  keep(transaction: Transaction, outcome: Outcome): Promise<void>;
}

/**
 * One attempt to answer a request whose answer is stored for repeats. The handler receives the result of a write before
 * the write is committed. The commit waits for the next write or for the answer. So a kept answer is committed together
 * with the last write. Concurrent writes of a handler run one after the other.
 */
export class Attempt {
  readonly #keeping: Keeping;
  readonly #deadline: Deadline;
  /** The write whose commit waits for the next write or for the answer. */
  #open: { readonly done: Promise<unknown>; answer(outcome: Outcome | undefined): void } | undefined;
  /** Fulfilled when the latest write has a result or has failed. */
  #turn: Promise<unknown> = Promise.resolve();
  #hasEnded = false;

  constructor(keeping: Keeping, deadline: Deadline) {
    this.#keeping = keeping;
    this.#deadline = deadline;
  }

  /**
   * Runs a write. The write is committed at the next write or at {@link end}.
   * @throws Error if the handler has answered already; DeadlineExceeded; the error of this write or of the previous
   *   write
   */
  async run<Result>(write: (step: Step) => Promise<Result>): Promise<Result> {
    if (this.#hasEnded) throw new Error('a handler wrote after its answer');
    const turn = within(this.#deadline, this.#turn, 'another write of the request');
    const made = turn.then(() => this.#begin(write));
    this.#turn = made.catch(() => undefined);
    return made;
  }

  /**
   * Commits the last write together with the answer. @throws the error of the write; DeadlineExceeded
   * @param outcome undefined if the answer is not kept
   * @returns false if no write waits for the commit; then the answer is not stored
   */
  async end(outcome: Outcome | undefined): Promise<boolean> {
    this.#hasEnded = true;
    await within(this.#deadline, this.#turn, 'a write of the request');
    return await this.#finish(outcome);
  }

  /** Waits until the open write, if any, is committed or rolled back. Never rejects. */
  async whenCommitted(): Promise<void> {
    await this.#open?.done.catch(() => undefined);
  }

  async #begin<Result>(write: (step: Step) => Promise<Result>): Promise<Result> {
    await this.#finish(undefined);
    const made = Promise.withResolvers<Result>();
    const answered = Promise.withResolvers<Outcome | undefined>();
    let isHandedOut = false;
    const done = write({
      enter: async (transaction) => {
        // The first transaction was rolled back. The handler may have used the result of that transaction, so the
        // handler must run again.
        if (isHandedOut) throw new AdmissionChanged();
        await this.#keeping.enter(transaction);
      },
      handOut: async (transaction, result) => {
        isHandedOut = true;
        made.resolve(result as Result);
        const outcome = await within(this.#deadline, answered.promise, 'the answer to a write');
        if (outcome !== undefined) await this.#keeping.keep(transaction, outcome);
      },
    });
    const open = { done, answer: answered.resolve };
    this.#open = open;
    done.catch((error: unknown) => {
      if (!isHandedOut && this.#open === open) this.#open = undefined;
      made.reject(error);
    });
    return made.promise;
  }

  async #finish(outcome: Outcome | undefined): Promise<boolean> {
    const open = this.#open;
    this.#open = undefined;
    open?.answer(outcome);
    await open?.done;
    return open !== undefined;
  }
}
