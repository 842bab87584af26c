import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createReaper, findServers, type FoundServers, openState, removeState, type RunningServer, type ServerPlan, start,
  type State,
} from '@platform/backing';

import { held } from './harness.ts';
import { timed } from './times.ts';

/** A server of a spec's own, which the spec may stop or disturb. Its address and data stay the same. */
export interface OwnServer<Plan extends ServerPlan> {
  readonly plan: Plan;
  /** Whether its process runs. */
  runs(): boolean;
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
  /** Called at the end, when the servers have stopped and before the folder is removed. */
  defer(release: () => Promise<unknown>): void;
  /** @throws BackingFault */
  open<Plan extends ServerPlan>(makePlan: () => Promise<Plan>): Promise<OwnServer<Plan>>;
}

/** Finds the servers' binaries; nothing is started yet. @throws BackingFault if one is unavailable */
export async function ownServers(): Promise<OwnServers> {
  // Not the servers that the environment names: those are not this spec's to stop.
  const variables = Object.entries(process.env).filter(([name]) => !/^PLATFORM_.*_URL$/.test(name));
  const found = await findServers({ environment: Object.fromEntries(variables), report: () => undefined });
  const home = await mkdtemp(join(tmpdir(), 'platform-own-'));
  // PostgreSQL's user must pass through it when the run is root's.
  await chmod(home, 0o711);
  const state = await openState(home);
  const reaper = createReaper();
  const opened: OwnServer<ServerPlan>[] = [];
  const deferred: (() => Promise<unknown>)[] = [];
  return held({
    state,
    found,
    defer: (release) => void deferred.push(release),
    open: async <Plan extends ServerPlan>(makePlan: () => Promise<Plan>) => {
      const options = (name: string) => ({ logFile: state.logFile(name), reaper });
      const first = await makePlan();
      // From here on the plan is fixed, and its ports with it.
      const ended = new WeakSet<RunningServer>();
      const begin = async (): Promise<RunningServer> => {
        const { server } = await timed('server', first.name, () => start(() => first, options(first.name)));
        void server.exited.then(() => ended.add(server));
        return server;
      };
      let running = await begin();
      const own: OwnServer<Plan> = {
        plan: first,
        runs: () => !ended.has(running),
        stop: () => running.stop().then(() => undefined),
        kill: async () => {
          process.kill(running.pid, 'SIGKILL');
          await running.exited;
        },
        start: async () => {
          running = await begin();
        },
      };
      opened.push(own);
      return own;
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of opened.reverse()) await server.stop();
      await reaper.close();
      for (const release of deferred.splice(0)) await release();
      await removeState(home);
    },
  });
}
