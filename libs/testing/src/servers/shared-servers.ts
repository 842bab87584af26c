import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createReaper, findServers, openState, planNats, planOpenfga, planPostgres, removeState, start,
  type FoundServers, type NatsAccess, type OpenfgaAccess, type Reaper, type Report, type RunningServer,
  type ServerPlan, type State,
} from '@platform/backing';
import { startLab } from '@platform/lab';
import { provisionDatabase } from '@platform/postgres';
import { databaseCloner, type DatabaseCloner } from './database-cloner.ts';
import { serversAreInContainers, type SharedLab } from './keeper-protocol.ts';
import { once } from './once.ts';
import { whileUsed } from './while-used.ts';

/** Time after which a lab without users is stopped, in milliseconds. */
const labIdleMs = 60_000;

/** The servers of one run. Each server is started when it is first needed; disposing stops all of them. */
export interface SharedServers extends AsyncDisposable {
  /** `postgres://` URL with a superuser. */
  postgres(): Promise<string>;
  nats(): Promise<NatsAccess>;
  openfga(): Promise<OpenfgaAccess>;
  databases(): Promise<DatabaseCloner>;
  /** Call `leaveLab` once for each call of `lab`. When nobody has used the lab for a minute, it is stopped. */
  lab(): Promise<SharedLab>;
  leaveLab(): void;
}

/**
 * Finds the servers and prepares their start. Their data is in a temporary folder and is not synced to disk. On a new
 * machine this may build OpenFGA, which takes minutes; with `PLATFORM_TEST_SERVERS=containers`, all are in containers.
 * @throws BackingFault
 */
export async function shareServers(report: Report, signal: AbortSignal): Promise<SharedServers> {
  await using stack = new AsyncDisposableStack();
  const inContainers = serversAreInContainers()
    // Loaded here, because the client of Docker is large.
    ? stack.use(await (await import('./containers.ts')).startContainers(report, signal)) : undefined;
  const environment = { ...process.env, ...inContainers?.environment };
  const found = await findServers({ environment, report, signal });
  const home = await mkdtemp(join(tmpdir(), 'platform-test-'));
  // If the run belongs to root, PostgreSQL's user must be able to enter the folder; its contents stay closed to others.
  await chmod(home, 0o711);
  const servers = stack.use(sharedServers(found, await openState(home), createReaper(), report, signal));
  const running = stack.move();
  return { ...servers, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function sharedServers(
  found: FoundServers, state: State, reaper: Reaper, report: Report, signal: AbortSignal,
): SharedServers {
  const run = `test_${randomBytes(3).toString('hex')}`;
  const running: RunningServer[] = [];
  const cloners: DatabaseCloner[] = [];

  async function started<Plan extends ServerPlan>(name: string, makePlan: () => Promise<Plan>): Promise<Plan> {
    const { plan, server } = await start(makePlan, { logFile: state.logFile(name), reaper, signal });
    running.push(server);
    return plan;
  }

  const postgres = once(async () => {
    const source = found.postgres;
    if (source.kind === 'address') return source.url;
    const plan = await started('postgres', () => planPostgres({ source, state, volatile: true, maxConnections: 400 }));
    return plan.superuserUrl;
  });
  const nats = once(async () => {
    const source = found.nats;
    if (source.kind === 'address') return source.access;
    return (await started('nats', () => planNats({ source, state, volatile: true }))).access;
  });
  const openfga = once(async () => {
    const source = found.openfga;
    if (source.kind === 'address') return source.access;
    const name = `${run}_openfga`;
    const { url } = await provisionDatabase({ superuserUrl: await postgres(), database: name, role: name });
    (await databases()).adopt(name, name);
    return (await started('openfga', () => planOpenfga({ source, state, datastoreUrl: url.reveal() }))).access;
  });
  const databases = once(async () => {
    const cloner = databaseCloner({ superuserUrl: await postgres(), run });
    cloners.push(cloner);
    return cloner;
  });
  // An idle lab takes a tenth of a core.
  const lab = whileUsed(labIdleMs, () => startLab({
    home: join(state.home, `lab-${randomBytes(3).toString('hex')}`), spokes: 2, environment: process.env, report, signal,
  }));

  async function stop(): Promise<void> {
    await lab[Symbol.asyncDispose]();
    const last = [...running].reverse();
    if (found.postgres.kind === 'address') {
      // The environment names this server, so keep it running. Drop the run's databases after the run has disconnected.
      await Promise.all(last.map((server) => server.stop()));
      await Promise.all(cloners.map((cloner) => cloner.dropAll()));
    } else {
      for (const server of last) await server.stop();
    }
    await reaper.close();
    await removeState(state.home);
  }

  return {
    postgres, nats, openfga, databases,
    lab: async () => {
      const { hub, spokes } = await lab.use();
      return { hub, spokes };
    },
    leaveLab: () => lab.leave(),
    [Symbol.asyncDispose]: stop,
  };
}
