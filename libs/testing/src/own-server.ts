import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createReaper, findServers, type FoundServers, openState, removeState, type RunningServer, type ServerPlan, start,
  type State,
} from '@platform/backing';
import { held } from './harness.ts';
import { timed } from './times.ts';

/** A separate server for one spec, which the spec may stop or disturb. Its address and data never change. */
export interface OwnServer<Plan extends ServerPlan> {
  readonly plan: Plan;
  /** Whether its process runs. */
  runs(): boolean;
  /** Stops it in an orderly way. */
  stop(): Promise<void>;
  /** Kills it. Its child processes end with it, or the next start ends them. */
  kill(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
}

/** A place for a spec's own servers. At the end of the spec file, all are stopped and their files are removed. */
export interface OwnServers extends AsyncDisposable {
  readonly state: State;
  readonly found: FoundServers;
  /** Adds a function to call at the end, after the servers have stopped and before the folder is removed. */
  defer(release: () => Promise<unknown>): void;
  /** @throws BackingFault */
  open<Plan extends ServerPlan>(makePlan: () => Promise<Plan>): Promise<OwnServer<Plan>>;
}

/** Finds the binaries of the servers; no server is started yet. @throws BackingFault if one is unavailable */
export async function ownServers(): Promise<OwnServers> {
  // Servers that the environment names are not used: a spec must not stop them.
  const variables = Object.entries(process.env).filter(([name]) => !/^PLATFORM_.*_URL$/.test(name));
  const found = await findServers({ environment: Object.fromEntries(variables), report: () => undefined });
  const home = await mkdtemp(join(tmpdir(), 'platform-own-'));
  // If the run belongs to root, PostgreSQL's user must be able to enter the folder.
  await chmod(home, 0o711);
  const state = await openState(home);
  const reaper = createReaper();
  const opened: OwnServer<ServerPlan>[] = [];
  const deferred: (() => Promise<unknown>)[] = [];
  return held({
    state, found,
    defer: (release) => void deferred.push(release),
    open: async <Plan extends ServerPlan>(makePlan: () => Promise<Plan>) => {
      // The plan and its ports never change.
      const plan = await makePlan();
      const options = { logFile: state.logFile(plan.name), reaper };
      const ended = new WeakSet<RunningServer>();
      const begin = async (): Promise<RunningServer> => {
        const { server } = await timed('server', plan.name, () => start(() => plan, options));
        void server.exited.then(() => ended.add(server));
        return server;
      };
      let running = await begin();
      const own: OwnServer<Plan> = {
        plan,
        runs: () => !ended.has(running),
        stop: () => running.stop().then(() => undefined),
        kill: async () => {
          process.kill(running.pid, 'SIGKILL');
          await running.exited;
        },
        start: async () => void (running = await begin()),
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
