import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createReaper, findServers, type FoundServers, openState, removeState, type RunningServer, type ServerPlan, start,
  type State,
} from '@platform/backing';

import { held } from './harness.ts';

/** A server of a spec's own: what happens to it happens to nobody else. Its address and data stay the same. */
export interface OwnServer<Plan extends ServerPlan> {
  readonly plan: Plan;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Kills it; what it started ends with it, or is ended by the next start. */
  kill(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
}

/** Where a spec keeps servers of its own. Everything in it is stopped and removed when the spec file is done. */
export interface OwnServers extends AsyncDisposable {
  readonly state: State;
  readonly found: FoundServers;
  /** @throws BackingFault */
  open<Plan extends ServerPlan>(makePlan: () => Promise<Plan>): Promise<OwnServer<Plan>>;
}

/** Finds the servers' binaries; nothing is started yet. @throws BackingFault where one cannot be had */
export async function ownServers(): Promise<OwnServers> {
  // Whatever addresses the environment names: those servers are not this spec's to stop.
  const variables = Object.entries(process.env).filter(([name]) => !/^PLATFORM_.*_URL$/.test(name));
  const found = await findServers({ environment: Object.fromEntries(variables), report: () => undefined });
  const home = await mkdtemp(join(tmpdir(), 'platform-own-'));
  // PostgreSQL's user must pass through it when the run is root's.
  await chmod(home, 0o711);
  const state = await openState(home);
  const reaper = createReaper();
  const opened: OwnServer<ServerPlan>[] = [];
  return held({
    state,
    found,
    open: async <Plan extends ServerPlan>(makePlan: () => Promise<Plan>) => {
      const options = (name: string) => ({ logFile: state.logFile(name), reaper });
      const first = await makePlan();
      // From here on the plan is fixed, and its ports with it.
      let running: RunningServer = (await start(() => first, options(first.name))).server;
      const own: OwnServer<Plan> = {
        plan: first,
        stop: () => running.stop().then(() => undefined),
        kill: async () => {
          process.kill(running.pid, 'SIGKILL');
          await running.exited;
        },
        start: async () => {
          running = (await start(() => first, options(first.name))).server;
        },
      };
      opened.push(own);
      return own;
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of opened.reverse()) await server.stop();
      await reaper.close();
      await removeState(home);
    },
  });
}
