import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { SharedHost } from './keeper-protocol.ts';
import { nodeEnvironment } from '../service-process.ts';
import { timed } from '../times.ts';
import type { KeeperRequest } from './host-protocol.ts';

/**
 * After this number of services, a host is replaced by a new one, because its libraries keep some data of past
 * services.
 */
const mostServices = 500;

/** The processes that hold services, one for each jest worker. Disposing ends them with all their services. */
export interface ServiceHosts extends AsyncDisposable {
  /** Returns the host of a worker for one more service. A host that has ended is replaced. */
  of(worker: string): Promise<SharedHost>;
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
  const all: Promise<Host>[] = [];

  function make(worker: string): Promise<Host> {
    const making = startHost(join(folder, `host-${all.length}.sock`));
    all.push(making);
    hosts.set(worker, making);
    making.catch(() => hosts.delete(worker));
    return making;
  }

  return {
    of: async (worker) => {
      let host = await (hosts.get(worker) ?? make(worker));
      if (host.hasEnded() || host.services >= mostServices) {
        host.retire();
        host = await make(worker);
      }
      host.services += 1;
      return host.shared;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled(all.map(async (host) => (await host).end()));
    },
  };
}

async function startHost(socket: string): Promise<Host> {
  const child = fork(join(import.meta.dirname, '../host/host.ts'), [socket], {
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
  return {
    shared: { socket, pid: child.pid! },
    services: 0,
    hasEnded: () => hasEnded,
    retire: () => void (child.connected && child.send('retire' satisfies KeeperRequest)),
    end: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
