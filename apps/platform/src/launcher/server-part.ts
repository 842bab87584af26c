import { type Reaper, start, type ServerPlan } from '@platform/backing';
import type { Part } from './supervisor.ts';

export interface ServerPartOptions {
  readonly logFile: string;
  readonly reaper: Reaper;
  /** As of {@link Part}. */
  readonly silenceMs: number;
  readonly graceMs?: number;
}

/** A backing server as a part. */
export interface ServerPart<Plan extends ServerPlan> extends Part {
  /** The plan, which stays the same from the first start on. @throws RangeError before the first start */
  plan(): Plan;
}

/** A backing server that runs from its plan: the first start plans, each later one keeps ports and data. */
export function serverPart<Plan extends ServerPlan>(
  name: string,
  version: string,
  makePlan: () => Promise<Plan>,
  { logFile, reaper, silenceMs, graceMs }: ServerPartOptions,
): ServerPart<Plan> {
  let planned: Plan | undefined;
  const plan = (): Plan => {
    if (planned === undefined) throw new RangeError(`${name} has not been planned yet`);
    return planned;
  };
  return {
    name,
    version,
    plan,
    life: {
      ask: (signal) => plan().alive(signal),
      silenceMs,
      ...(graceMs === undefined ? {} : { graceMs }),
    },
    start: async (signal) => {
      const started = await start(planned === undefined ? makePlan : () => planned!, { logFile, reaper, signal });
      planned = started.plan;
      return started.server;
    },
  };
}
