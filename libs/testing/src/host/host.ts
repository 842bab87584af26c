// A process that holds the services of spec files, so that spec files need not start processes of their own. The keeper
// starts it, and it ends with the keeper. Each service keeps its own settings, log, ports, metrics and connections.
import { flushCompileCache } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import {
  createLogger, deadlineIn, type DefinedService, openService, platformVersion, reportStartError, type RunningService,
  within,
} from '@platform/service';
import { repositoryRoot } from '../repository.ts';
import type { HostMessage, HostRequest, KeeperRequest } from '../servers/host-protocol.ts';

type Tell = (message: HostMessage) => void;

/** How long the last log lines may take to reach the spec files before the process ends. */
const lastLinesMs = 200;
const clients = new Set<Socket>();
let isRetired = false;

process.once('disconnect', () => process.exit());
process.on('message', (request: KeeperRequest) => {
  if (request !== 'retire') return;
  isRetired = true;
  endIfUnused();
});
for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, endAll);
createServer((client) => {
  clients.add(client);
  client.once('close', () => {
    clients.delete(client);
    endIfUnused();
  });
  // The spec file has gone, so the service stops.
  client.on('error', () => undefined);
  void hold(client);
}).listen(process.argv[2], () => process.send?.('ready'));

/** One service, from the message that opens it to the message that stops it, or to the end of the connection. */
async function hold(client: Socket): Promise<void> {
  const tell = tellerOf(client);
  const stopping = new AbortController();
  let opened: Promise<Opened | undefined> | undefined;
  for await (const line of createInterface({ input: client })) {
    const request = JSON.parse(line) as HostRequest;
    if (request.ask === 'stop') break;
    opened = open(request, tell, stopping.signal);
  }
  stopping.abort(new Error('the service stops'));
  const service = await opened;
  if (service !== undefined) tell({ kind: 'ended', code: await stop(service) });
  client.end();
}

function tellerOf(client: Socket): Tell {
  return (message) => void (client.writable && client.write(`${JSON.stringify(message)}\n`));
}

interface Opened {
  readonly running: RunningService;
  readonly log: ReturnType<typeof createLogger>;
  readonly stopTimeoutMs: number;
}

/**
 * Opens a service as `runMain` does in a separate process; undefined if the start failed, which is then already
 * reported.
 */
async function open(
  { name, environment }: HostRequest & { ask: 'open' }, tell: Tell, stopping: AbortSignal,
): Promise<Opened | undefined> {
  const destination = { write: (line: string) => tell({ kind: 'log', line: line.trimEnd() }) };
  const log = createLogger({ service: name, destination });
  try {
    const file = pathToFileURL(join(repositoryRoot, 'apps', name, 'src/service.ts')).href;
    const { service } = await import(file) as { readonly service: DefinedService };
    const config = service.read({ environment, log });
    const options = { destination, processMetrics: false };
    const running = await openService(
      name, config, stopping, (opening) => service.start(opening, config as never), options,
    );
    log.info({ addresses: running.addresses, version: platformVersion }, 'ready');
    tell({ kind: 'ready', addresses: running.addresses });
    flushCompileCache();
    return { running, log, stopTimeoutMs: config.stopTimeoutMs };
  } catch (error) {
    reportStartError(log, error);
    tell({ kind: 'ended', code: 1 });
    return undefined;
  }
}

/** Stops the service and returns the exit code that a separate process would have. */
async function stop({ running, log, stopTimeoutMs }: Opened): Promise<number> {
  log.info({ reason: 'asked' }, 'stopping');
  try {
    await within(deadlineIn(stopTimeoutMs), Promise.resolve(running[Symbol.asyncDispose]()), 'stop');
    log.info({}, 'stopped');
    return 0;
  } catch (error) {
    log.error({ error, stopTimeoutMs }, 'stopped without finishing');
    return 1;
  }
}

function endIfUnused(): void {
  if (isRetired && clients.size === 0) process.exit();
}

/**
 * An uncaught error of a service ends the whole process, as it ends a separate process: its state is unknown
 * afterwards.
 */
function endAll(error: unknown): void {
  const text = error instanceof Error ? error.stack ?? error.message : String(error);
  console.error(text);
  const line = JSON.stringify({ level: 'fatal', service: 'host', message: 'uncaught error', error: text });
  for (const client of clients) tellerOf(client)({ kind: 'log', line });
  setTimeout(() => process.exit(1), lastLinesMs);
}
