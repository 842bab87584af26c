/** How one process is run: a backing server, or a service of the launcher. */
export interface ProcessPlan {
  /** Name for logs and messages, such as `postgres`. */
  readonly name: string;
  /** Absolute path of the executable. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  /** The user that runs the process, if it is not the caller (PostgreSQL under root). */
  readonly user?: { readonly uid: number; readonly gid: number };
  /**
   * Receives the messages of a Node program over an IPC channel. The program stops by itself when the channel closes,
   * so it needs no `pidFile`.
   */
  readonly onMessage?: (message: unknown) => void;
  /** File in which `launch` records the process. If the launcher is killed, the next start can stop the process. */
  readonly pidFile?: string;
  /** The ports of the server on 127.0.0.1. */
  readonly ports: readonly number[];
  /** True if the caller fixed a port. A taken port is then a fault, and no other port is tried. */
  readonly portFixed: boolean;
  readonly stopSignal: NodeJS.Signals;
  /** Milliseconds between `stopSignal` and SIGKILL. */
  readonly graceMilliseconds: number;
  /** Milliseconds from the launch within which `ready` must resolve. */
  readonly readyMilliseconds: number;
  /**
   * Creates what the process needs, such as data, keys and configuration. May be repeated. Existing data and secrets
   * stay unchanged. Stops a process that was left running on the same state.
   * @throws BackingFault
   */
  prepare(signal?: AbortSignal): Promise<void>;
  /**
   * Resolves once the process is ready. A server is ready once it answers its real protocol. Rejects when the signal is
   * aborted. The caller sets the deadline.
   */
  ready(signal: AbortSignal): Promise<void>;
}

/**
 * How a backing server is run. A plan is fixed: each launch uses the same ports and the same data. A supervisor needs
 * this for a restart. If a port is taken before the first start, `start` makes another plan.
 */
export interface ServerPlan extends ProcessPlan {
  readonly pidFile: string;
  /**
   * Checks the running server once. Rejects if the server does not answer, or needs a restart for another reason. A
   * server may be busy or lack a dependency and still be alive.
   */
  alive(signal: AbortSignal): Promise<void>;
}

/** How a process ended: one of the two fields is null. */
export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningServer extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  /** Resolves (never rejects) when the process has ended, for any reason. */
  readonly exited: Promise<ServerExit>;
  /**
   * Sends the plan's stop signal. After the grace period, kills the process and its children. Resolves when the process
   * has ended. May be called again: the grace period that ends first applies.
   * @param graceMilliseconds default: the grace period of the plan
   */
  stop(graceMilliseconds?: number): Promise<ServerExit>;
}
