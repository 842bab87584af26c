import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { serviceLog, type ServiceLog } from '../harness.ts';
import { askKeeper } from '../servers/ask-keeper.ts';
import { type ProcessExit, ServiceNotStarted, type ServiceProcess } from '../service-process.ts';
import { timed } from '../times.ts';
import { until } from '../until.ts';
import type { HostMessage, HostRequest } from '../servers/host-protocol.ts';

const readyTimeout = 60_000;
let opened = 0;

/**
 * Opens a service of `apps/` in the process that holds the services of this worker. The service stops on request, or
 * when this process ends.
 * @param environment its settings, in the notation of a process environment
 * @throws ServiceNotStarted
 */
export async function startHosted(
  name: string, environment: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const { host, pid } = await until(connectHost, { what: 'a process takes services' });
  opened += 1;
  const log = serviceLog(`${name} (${opened} of this file, in pid ${pid})`);
  const { addresses, exited } = await timed('opening', name, () => follow(name, host, log, environment));

  async function stop(): Promise<ProcessExit> {
    ask(host, { ask: 'stop' });
    return exited;
  }

  return {
    addresses, log: log.lines, exited, stop,
    kill: async (signal) => {
      if (signal === 'SIGTERM') return await stop();
      throw new Error(`${name} shares its process with others: say \`ownProcess\` to send it ${signal}`);
    },
  };
}

/** Undefined until the keeper has noticed the end of the process. */
async function connectHost(): Promise<{ readonly host: Socket; readonly pid: number } | undefined> {
  const { socket, pid } = await askKeeper({ ask: 'host', worker: process.env['JEST_WORKER_ID'] ?? '0' });
  const host = connect(socket);
  const isConnected = await new Promise<boolean>((resolve) => {
    host.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  return isConnected ? { host, pid } : undefined;
}

interface Followed {
  readonly addresses: ServiceProcess['addresses'];
  readonly exited: ServiceProcess['exited'];
}

async function follow(
  name: string, host: Socket, log: ServiceLog, environment: Readonly<Record<string, string>>,
): Promise<Followed> {
  const { promise: ready, resolve: resolveReady, reject } = Promise.withResolvers<ServiceProcess['addresses']>();
  const { promise: exited, resolve: resolveExited } = Promise.withResolvers<ProcessExit>();
  createInterface({ input: host }).on('line', (line) => {
    const message = JSON.parse(line) as HostMessage;
    if (message.kind === 'log') log.lines.push(message.line);
    else if (message.kind === 'ready') resolveReady(message.addresses);
    else resolveExited({ code: message.code, signal: null });
  });
  // The connection stands for the process: if the connection is lost, the process has ended.
  host.on('error', (error) => log.lines.push(String(error)));
  host.once('close', () => resolveExited({ code: 1, signal: null }));
  ask(host, { ask: 'open', name, environment });
  void exited.then((exit) => {
    host.end();
    reject(new ServiceNotStarted(`${name} ended with code ${exit.code} before it was ready`, log.lines, exit));
  });
  const timer = setTimeout(() => {
    reject(new ServiceNotStarted(`${name} was not ready within ${readyTimeout} ms`, log.lines, undefined));
    host.destroy();
  }, readyTimeout);
  try {
    return { addresses: await ready, exited };
  } finally {
    clearTimeout(timer);
  }
}

function ask(host: Socket, request: HostRequest): void {
  if (host.writable) host.write(`${JSON.stringify(request)}\n`);
}
