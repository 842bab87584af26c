/** How to run one process: a backing server or a service of the platform. */
export interface ProcessPlan {
  /** Name for logs and messages, such as `postgres`. */
  readonly name: string;
  /** Absolute path of the executable. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  /** The user that runs the process; default: the launcher's user. PostgreSQL refuses to run as root. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /**
   * Only for Node programs: receives the messages that the program sends over an IPC channel. The program must stop by
   * itself when the channel closes, so it needs no `pidFile`.
   */
  readonly onMessage?: (message: unknown) => void;
  /** File in which `launch` records the process. If the launcher is killed, the next start can stop the process. */
  readonly pidFile?: string;
  /** Ports on 127.0.0.1 that must be free before the launch. `start` checks these ports. */
  readonly ports: readonly number[];
  /** If a port is taken, `start` fails at once (true) or tries again with a new plan (false). */
  readonly portFixed: boolean;
  readonly stopSignal: NodeJS.Signals;
  /** Milliseconds between `stopSignal` and SIGKILL. */
  readonly graceMilliseconds: number;
  /** Time limit for `ready`, in milliseconds after the launch. */
  readonly readyMilliseconds: number;
  /**
   * Prepares a launch. Stops the process of an earlier launch if it still runs. Creates missing data and writes the
   * configuration. May be called again: existing data is kept.
   * @throws BackingFault
   */
  prepare(signal?: AbortSignal): Promise<void>;
  /**
   * Resolves once the process is ready. For a server, an open port is not enough: the server must answer in its own
   * protocol. Rejects when the signal is aborted. The caller sets the deadline.
   */
  ready(signal: AbortSignal): Promise<void>;
}

/**
 * How to run a backing server. Each launch of a plan uses the same ports and the same data, so clients find the server
 * again after a restart.
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
  /** Resolves when the process has ended for any reason. */
  readonly exited: Promise<ServerExit>;
  /**
   * Sends the plan's stop signal once. If the process still runs after the grace period, kills the process and its
   * children. Resolves when the process has ended. May be called again: the grace period that ends first applies.
   * @param graceMilliseconds default: the grace period of the plan
   */
  stop(graceMilliseconds?: number): Promise<ServerExit>;
}
