import type { LaunchOptions } from './launch.ts';
import type { RunningServer, ServerPlan } from './server-plan.ts';

export type StartOptions = LaunchOptions;

export interface Started<Plan extends ServerPlan> {
  readonly plan: Plan;
  readonly server: RunningServer;
}

/**
 * Plans, prepares, launches and waits until the server answers. Somebody may take a chosen port before the server does:
 * then the server is planned anew, with other ports, three times at most; a fixed port is a fault at once.
 * @throws BackingFault PORT_TAKEN, START_FAILED (ended before it answered; the message holds the end of its log),
 *   NOT_READY, and what `prepare` throws. Nothing is left running then.
 */
export declare function start<Plan extends ServerPlan>(
  makePlan: () => Plan | Promise<Plan>,
  options: StartOptions,
): Promise<Started<Plan>>;
