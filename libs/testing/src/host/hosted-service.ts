import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { deadlineIn, within } from '@platform/service';
import { serviceLog, type ServiceLog } from '../harness.ts';
import { askKeeper } from '../servers/ask-keeper.ts';
import {
  type ProcessExit, readyTimeout, ServiceNotStarted, type ServiceProcess, stopTimeout,
} from '../service-process.ts';
import { isMade } from '../sockets.ts';
import { timed } from '../times.ts';
import { until } from '../until.ts';
import type { HostedService, HostMessage, HostRequest } from '../servers/host-protocol.ts';

/** Longer than `stop.timeout`, after which the host reports that the service did not stop. */
const hostedStopTimeout = 40_000;
const worker = process.env['JEST_WORKER_ID'] ?? '0';
let opened = 0;

/**
 * Opens a service in the process that holds the services of this worker. The service stops on request, or when this
 * process ends.
 * @throws ServiceNotStarted
 */
export async function startHosted(service: HostedService): Promise<ServiceProcess> {
  const { name } = service;
  const { host, pid } = await until(() => connectHost({ ask: 'host', worker }), { what: 'a process takes services' });
  opened += 1;
  const log = serviceLog(`${name} (${opened} of this file, in pid ${pid})`);
  const { addresses, exited } = await timed('opening', name, () => follow(service, host, log));

  async function stop(): Promise<ProcessExit> {
    ask(host, { ask: 'stop' });
    // A host that is blocked answers nothing.
    return within(deadlineIn(hostedStopTimeout), exited, `the stop of ${name}`);
  }

  return {
    addresses, log: log.lines, exited, stop,
    kill: async (signal) => {
      if (signal === 'SIGTERM') return await stop();
      throw new Error(`${name} shares its process with others: set \`ownProcess\` to send it ${signal}`);
    },
  };
}

/**
 * Opens a service alone in a process, which the spec may kill. If the process still runs after the service has stopped,
 * the next service uses it.
 * @throws ServiceNotStarted
 */
export async function startAlone(service: HostedService): Promise<ServiceProcess> {
  const { name } = service;
  const { host, pid } = await until(() => connectHost({ ask: 'lone-host' }), { what: 'a process takes a service' });
  opened += 1;
  const log = serviceLog(`${name} (${opened} of this file, alone in pid ${pid})`);
  let isOver = false;
  let sent: NodeJS.Signals | null = null;
  const { addresses, exited } = await timed('opening', name, () => follow(service, host, log));
  const ended = exited.then((exit): ProcessExit => {
    isOver = true;
    return sent === null ? exit : { code: null, signal: sent };
  });

  async function kill(signal: NodeJS.Signals): Promise<ProcessExit> {
    // Afterwards, the process may hold the service of another file.
    if (isOver) return ended;
    // The host stops its service at this signal, as `runMain` does.
    if (signal !== 'SIGTERM') sent = signal;
    process.kill(pid, signal);
    return ended;
  }

  async function stop(): Promise<ProcessExit> {
    const timer = setTimeout(() => void kill('SIGKILL'), stopTimeout);
    return kill('SIGTERM').finally(() => clearTimeout(timer));
  }

  return { pid, addresses, log: log.lines, exited: ended, kill, stop };
}

/** Connects to a host. Undefined if the host has ended, and the keeper has not noticed this yet. */
async function connectHost(
  question: Parameters<typeof askKeeper<'host' | 'lone-host'>>[0],
): Promise<{ readonly host: Socket; readonly pid: number } | undefined> {
  const { socket, pid } = await askKeeper(question);
  const host = connect(socket);
  return await isMade(host) ? { host, pid } : undefined;
}

async function follow(
  service: HostedService, host: Socket, log: ServiceLog,
): Promise<Pick<ServiceProcess, 'addresses' | 'exited'>> {
  const { name } = service;
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
  ask(host, { ask: 'open', ...service });
  void exited.then((exit) => {
    host.end();
    reject(new ServiceNotStarted(`${name} ended with code ${exit.code} before it was ready`, log.lines, exit));
  });
  const timer = setTimeout(() => {
    reject(new ServiceNotStarted(`${name} was not ready within ${readyTimeout} ms`, log.lines, undefined));
    host.destroy();
  }, readyTimeout);
  return { addresses: await ready.finally(() => clearTimeout(timer)), exited };
}

function ask(host: Socket, request: HostRequest): void {
  if (host.writable) host.write(`${JSON.stringify(request)}\n`);
}
