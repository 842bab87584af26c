/**
 * A small process beside the launcher that outlives it by seconds: when the launcher ends, however it ends, the reaper
 * stops what is still registered (signal, grace, SIGKILL) and ends. One per launcher.
 */
export interface Reaper extends AsyncDisposable {
  readonly pid: number;
  /** Watches over a process from now on. It is known by pid and start time, so a reused pid is never hit. */
  register(pid: number, stopSignal: NodeJS.Signals, graceMilliseconds: number): void;
  /** The process has ended or is another's concern. */
  forget(pid: number): void;
  /** Ends the reaper; whatever is still registered is stopped first. Resolves when it has ended. */
  close(): Promise<void>;
}

/** Starts the reaper. */
export declare function createReaper(): Reaper;
