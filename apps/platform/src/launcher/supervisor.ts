import { addAbortListener } from 'node:events';
import type { RunningServer, ServerExit } from '@platform/backing';
import { pause, type Backoff } from '@platform/service';
import { explain } from '../command-fault.ts';
import type { PartState, PartStatus } from '../parts-file.ts';
import { patienceOf, silent } from './silence.ts';

/** A process that the supervisor keeps running. */
export interface Part {
  /** Name in logs and messages: `postgres`, `orgs-teams`. */
  readonly name: string;
  /**
   * Resolves once the process answers. A restart uses the same ports. If the start fails, no process of the part runs.
   */
  start(signal: AbortSignal): Promise<RunningServer>;
  /** Version of a server; undefined for a service. */
  readonly version?: string;
  /** `host:port` at which a service answers `/readyz`; undefined for a server. */
  readonly admin?: string;
  readonly life: {
    /** Asks the part for a sign of life. Dependencies of the part do not matter. @throws if there is no sign of life */
    readonly ask: (signal: AbortSignal) => Promise<void>;
    /** How long the part may be silent before it is restarted, in milliseconds; 0: silence is not detected. */
    readonly silenceMs: number;
    /** Time for a silent part to stop before it is killed, in milliseconds; default: the usual grace period. */
    readonly graceMs?: number | undefined;
  };
}

interface SupervisorOptions {
  readonly report: (line: string) => void;
  readonly changed: () => void;
  /** Called when a pause before a restart begins, with the length of the pause in milliseconds. */
  readonly pausing?: (milliseconds: number) => void;
  /** Pauses before restarts, in milliseconds; default 1 s, doubled up to 30 s. */
  readonly backoff?: Backoff;
  /** A part that ran at least this long is restarted after the shortest pause. In milliseconds; default 60 s. */
  readonly steadyMs?: number;
}

export type SupervisedPart = Pick<Supervision, keyof Supervision>;

/** Puts a part under supervision without starting it. */
export function supervise(part: Part, options: SupervisorOptions): SupervisedPart {
  return new Supervision(part, options);
}

const usual: Backoff = { first: 1_000, most: 30_000 };

class Supervision {
  readonly name: string;
  readonly #part: Part;
  readonly #options: SupervisorOptions;
  readonly #retired = new AbortController();
  #server: RunningServer | undefined;
  #state: PartState = 'waiting';
  #since = new Date();
  #restarts = 0;
  #lastExit: string | undefined;
  #watching: Promise<void> = Promise.resolve();

  constructor(part: Part, options: SupervisorOptions) {
    this.name = part.name;
    this.#part = part;
    this.#options = options;
  }

  /**
   * Starts the part and waits until it answers. After that, restarts the part when it ends or hangs, until
   * {@link retire} is called.
   * @param signal aborts only this first start
   * @throws the failure of the first start. The part is not restarted then
   */
  async start(signal: AbortSignal): Promise<void> {
    this.#enter('starting');
    this.#watching = this.#watch(await this.#launch(signal));
  }

  status(): PartStatus {
    const { name, version, admin } = this.#part;
    const [state, since, pid] = [this.#state, this.#since.toISOString(), this.#server?.pid];
    return { name, state, restarts: this.#restarts, since, version, pid, lastExit: this.#lastExit, admin };
  }

  /** From now on, the part is not restarted. Aborts a restart that is under way. May be called again. */
  retire(): void {
    this.#retired.abort(new Error('the platform stops'));
  }

  /** Stops the part. Returns how it ended, such as `SIGKILL`; undefined if it ended cleanly or did not run. */
  async stop(): Promise<string | undefined> {
    this.retire();
    this.#enter('stopping');
    const exit = await this.#server?.stop();
    await this.#watching;
    this.#server = undefined;
    this.#enter('stopped');
    if (exit === undefined || isOrderly(exit)) return undefined;
    this.#options.report(`${this.name} did not stop cleanly, it ended with ${describeExit(exit)}.`);
    return describeExit(exit);
  }

  async #launch(signal: AbortSignal): Promise<RunningServer> {
    // After the start, an abort of `signal` must not stop the part: the launcher calls `stop` later, phase by phase.
    const starting = new AbortController();
    using _listening = addAbortListener(signal, () => starting.abort(signal.reason));
    const server = await this.#part.start(starting.signal);
    if (this.#retired.signal.aborted) {
      // The server answered after the part was retired.
      await server.stop();
      throw this.#retired.signal.reason;
    }
    this.#server = server;
    this.#enter('running');
    return server;
  }

  /** Runs the part until it is retired: waits for its end, pauses, starts it again. */
  async #watch(first: RunningServer): Promise<void> {
    const { backoff = usual, steadyMs = 60_000, report, pausing } = this.#options;
    const retired = this.#retired.signal;
    let server: RunningServer | undefined = first;
    for (let failures = 1; ; failures += 1) {
      if (server !== undefined) {
        const begun = performance.now();
        const exit = await this.#end(server);
        if (retired.aborted) return;
        if (performance.now() - begun >= steadyMs) failures = 1;
        this.#server = undefined;
        this.#lastExit = exit;
        this.#enter('restarting');
        report(`${this.name} ended with ${exit}; restarting in ${seconds(wait(failures, backoff))}.`);
      }
      pausing?.(wait(failures, backoff));
      await pause(wait(failures, backoff), retired);
      if (retired.aborted) return;
      server = await this.#startAgain(wait(failures + 1, backoff));
    }
  }

  /** Waits until a process ends. Stops the process if it does not answer for `silenceMs`. Returns how it ended. */
  async #end(server: RunningServer): Promise<string> {
    const { ask, silenceMs, graceMs } = this.#part.life;
    const exited = server.exited.then(describeExit);
    if (silenceMs === 0) return exited;
    const over = new AbortController();
    void exited.then(() => over.abort());
    const signal = AbortSignal.any([over.signal, this.#retired.signal]);
    if (!(await silent(ask, patienceOf(silenceMs), signal))) return exited;
    const silence = `no answer for ${seconds(silenceMs)}`;
    this.#enter('restarting');
    this.#options.report(`${this.name} (pid ${server.pid}) runs but has given ${silence}; stopping it.`);
    await server.stop(graceMs);
    return `${silence}, then ${await exited}`;
  }

  /**
   * Starts the part again. Returns undefined if the start fails.
   * @param next the pause before the next attempt, in milliseconds
   */
  async #startAgain(next: number): Promise<RunningServer | undefined> {
    const { report } = this.#options;
    this.#restarts += 1;
    const begun = performance.now();
    try {
      const server = await this.#launch(this.#retired.signal);
      report(`${this.name} runs again (pid ${server.pid}, started in ${seconds(performance.now() - begun)}).`);
      return server;
    } catch (error) {
      if (!this.#retired.signal.aborted) {
        report(`${this.name} could not be started, retrying in ${seconds(next)}: ${explain(error)}`);
      }
      return undefined;
    }
  }

  #enter(state: PartState): void {
    // A start that ends after the part was retired must not make the part look alive.
    if (this.#retired.signal.aborted && state !== 'stopping' && state !== 'stopped') return;
    this.#state = state;
    this.#since = new Date();
    this.#options.changed();
  }
}

function wait(failures: number, { first, most }: Backoff): number {
  return Math.min(most, first * 2 ** Math.min(failures - 1, 30));
}

/**
 * Returns whether a process ended cleanly. An end by a stop signal is clean, because a starting process may not handle
 * the signal yet.
 */
function isOrderly({ code, signal }: ServerExit): boolean {
  return code === 0 || signal === 'SIGTERM' || signal === 'SIGINT';
}

function describeExit({ code, signal }: ServerExit): string {
  return signal ?? `code ${code}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
