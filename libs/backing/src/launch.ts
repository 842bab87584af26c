import type { Reaper } from './reaper.ts';
import type { RunningServer, ServerPlan } from './server-plan.ts';

export interface LaunchOptions {
  /** Standard output and error are appended here. */
  readonly logFile: string;
  /** Stops the process when the caller dies, however it dies. */
  readonly reaper?: Reaper;
  /** Aborting stops the process, as `stop` does. */
  readonly signal?: AbortSignal;
}

/**
 * Starts the process of a plan and returns at once; it is not ready yet (`plan.ready`). It runs in a session of its own,
 * so a Ctrl-C in the terminal reaches the launcher alone, which stops its parts in order.
 * @throws BackingFault START_FAILED when the executable cannot be run
 */
export declare function launch(plan: ServerPlan, options: LaunchOptions): Promise<RunningServer>;
