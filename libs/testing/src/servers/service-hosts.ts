import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { SharedHost } from './keeper-protocol.ts';
import { nodeEnvironment } from '../service-process.ts';
import { timed } from '../times.ts';
import { aloneArgument, type HostNotice, type KeeperRequest } from './host-protocol.ts';

/** After this number of services, a host is replaced, because its libraries keep some data of past services. */
const mostServices = 500;

/** The processes that hold services. Disposing ends them with all their services. */
export interface ServiceHosts extends AsyncDisposable {
  /** Returns the host of a worker for one more service. A host that has ended is replaced. */
  of(worker: string): Promise<SharedHost>;
  /** Returns a host for one service, which the caller may kill. If it outlives the service, the next caller gets it. */
  alone(): Promise<SharedHost>;
}

interface Host {
  readonly shared: SharedHost;
  services: number;
  hasEnded(): boolean;
  retire(): void;
  end(): Promise<void>;
}

/** @param folder folder of their sockets */
export function serviceHosts(folder: string): ServiceHosts {
  const hosts = new Map<string, Promise<Host>>();
  const free = new Set<Host>();
  const all: Promise<Host>[] = [];

  function make(more: readonly string[] = [], unused?: (host: Host) => void): Promise<Host> {
    const making = startHost(join(folder, `host-${all.length}.sock`), more, unused);
    all.push(making);
    return making;
  }

  function makeOf(worker: string): Promise<Host> {
    const making = make();
    hosts.set(worker, making);
    making.catch(() => hosts.delete(worker));
    return making;
  }

  function takeFree(): Host | undefined {
    for (const host of free) {
      free.delete(host);
      if (!host.hasEnded()) return host;
    }
    return undefined;
  }

  return {
    of: async (worker) => {
      let host = await (hosts.get(worker) ?? makeOf(worker));
      if (host.hasEnded() || host.services >= mostServices) {
        host.retire();
        host = await makeOf(worker);
      }
      host.services += 1;
      return host.shared;
    },
    alone: async () => (takeFree() ?? await make([aloneArgument], (host) => free.add(host))).shared,
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled(all.map(async (host) => (await host).end()));
    },
  };
}

/** @param unused called each time that its last service is gone */
async function startHost(
  socket: string, more: readonly string[], unused: (host: Host) => void = () => undefined,
): Promise<Host> {
  const child = fork(join(import.meta.dirname, '../host/host.ts'), [socket, ...more], {
    execArgv: [], env: nodeEnvironment(), stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let hasEnded = false;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await timed('process', 'host', () => new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('error', reject);
    child.once('exit', (code) => {
      hasEnded = true;
      reject(new Error(`The process that holds services ended with code ${code}.`));
    });
  }));
  const host: Host = {
    shared: { socket, pid: child.pid! },
    services: 0,
    hasEnded: () => hasEnded,
    retire: () => void (child.connected && child.send('retire' satisfies KeeperRequest)),
    end: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
  child.on('message', (notice: HostNotice) => void (notice === 'unused' && unused(host)));
  return host;
}
