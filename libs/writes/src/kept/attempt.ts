import type { Transaction } from '@platform/postgres';
import { AdmissionChanged } from '@platform/rpc';
import type { Outcome } from './store.ts';

/** What an attempt does in a transaction of the write path. */
export interface Step {
  /** First of all. @throws what refuses the attempt, such as CONFLICT while another one is under way */
  enter(transaction: Transaction): Promise<void>;
  /** Right before the commit: hands the result to the handler, and keeps the answer that the handler makes of it. */
  handOut(transaction: Transaction, result: unknown): Promise<void>;
}

/** What keeps an answer in a transaction. */
export interface Keeping {
  enter(transaction: Transaction): Promise<void>;
  keep(transaction: Transaction, outcome: Outcome): Promise<void>;
}

/**
 * One attempt to answer a request whose answer is kept in the transaction of its change. The write path runs each write
 * of the handler through it: the handler gets the result before the commit, and the commit waits for the answer. So
 * there is a change with its answer, or neither, and a handler needs no line for it.
 */
export class Attempt {
  readonly #keeping: Keeping;
  #open: { finish(outcome: Outcome | undefined): Promise<void> } | undefined;

  constructor(keeping: Keeping) {
    this.#keeping = keeping;
  }

  /** Whether a write waits for the answer. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Runs a write. Only the last one of a handler waits for the answer; those before it are committed without one. */
  async run<Result>(write: (step: Step) => Promise<Result>): Promise<Result> {
    await this.finish(undefined);
    const made = Promise.withResolvers<Result>();
    const answered = Promise.withResolvers<Outcome | undefined>();
    let isHandedOut = false;
    const done = write({
      enter: async (transaction) => {
        // The handler has made its answer of a result that was rolled back: it has to run again.
        if (isHandedOut) throw new AdmissionChanged();
        await this.#keeping.enter(transaction);
      },
      handOut: async (transaction, result) => {
        isHandedOut = true;
        made.resolve(result as Result);
        const outcome = await answered.promise;
        if (outcome !== undefined) await this.#keeping.keep(transaction, outcome);
      },
    });
    const open = {
      finish: async (outcome: Outcome | undefined) => {
        answered.resolve(outcome);
        await done;
      },
    };
    this.#open = open;
    done.catch((error: unknown) => {
      if (!isHandedOut && this.#open === open) this.#open = undefined;
      made.reject(error);
    });
    return made.promise;
  }

  /** Commits the write that waits, with its answer. @throws what the write throws */
  async finish(outcome: Outcome | undefined): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.finish(outcome);
  }
}
