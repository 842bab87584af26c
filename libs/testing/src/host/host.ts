// A process that holds the services of spec files, so that spec files need not start processes of their own. The keeper
// starts it, and it ends with the keeper. Each service keeps its own settings, log, ports, metrics and connections.
import { flushCompileCache } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import {
  createLogger, deadlineIn, type DefinedService, openService, platformVersion, reportStartError, type RunningService,
  within,
} from '@platform/service';
import {
  aloneArgument, type HostedService, type HostMessage, type HostNotice, type HostRequest, type KeeperRequest,
} from '../servers/host-protocol.ts';

type Tell = (message: HostMessage) => void;

/** How long the last log lines may take to reach the spec files before the process ends, in milliseconds. */
const lastLinesMs = 200;
const isAlone = process.argv[3] === aloneArgument;
const clients = new Set<Socket>();
/** The requests for the service that is alone in this process. */
let requests: Interface | undefined;
let isRetired = false;
/** Files of services whose compiled code is in the cache that the next process reads. */
const compiled = new Set<string>();
const notify = (notice: HostNotice) => void (process.connected && process.send?.(notice));

process.once('disconnect', () => process.exit());
process.on('message', (request: KeeperRequest) => {
  if (request !== 'retire') return;
  isRetired = true;
  endIfUnused();
});
if (isAlone) {
  // The signal stops the service, as it does in a separate process.
  process.on('SIGTERM', () => requests?.close());
  for (const stream of [process.stdout, process.stderr]) addToLog(stream);
}
for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, endAll);
createServer((client) => {
  clients.add(client);
  client.once('close', () => {
    clients.delete(client);
    endIfUnused();
    if (clients.size === 0) notify('unused');
  });
  // The spec file has gone, so the service stops.
  client.on('error', () => undefined);
  void hold(client);
}).listen(process.argv[2], () => notify('ready'));

/** Opens a service on request. Stops it on request, or when the connection ends. */
async function hold(client: Socket): Promise<void> {
  const tell = tellerOf(client);
  const stopping = new AbortController();
  let opened: Promise<Opened | undefined> | undefined;
  requests = createInterface({ input: client });
  for await (const line of requests) {
    const request = JSON.parse(line) as HostRequest;
    if (request.ask === 'stop') break;
    opened = open(request, tell, stopping.signal);
  }
  stopping.abort(new Error('the service stops'));
  const service = await opened;
  if (service !== undefined) {
    const code = await stop(service);
    // A service that did not stop completely would disturb the next service.
    isRetired ||= isAlone && code !== 0;
    tell({ kind: 'ended', code });
  }
  client.end();
}

function tellerOf(client: Socket): Tell {
  return (message) => void (client.writable && client.write(`${JSON.stringify(message)}\n`));
}

/** Adds the output of libraries to the log of the service that runs alone in this process. */
function addToLog(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (...parameters: readonly unknown[]) => boolean;
  stream.write = (chunk: string | Uint8Array, ...more: readonly unknown[]) => {
    if (clients.size === 0) return write(chunk, ...more);
    const lines = Buffer.from(chunk as string).toString().trimEnd().split('\n');
    for (const client of clients) lines.forEach((line) => tellerOf(client)({ kind: 'log', line }));
    const done = more.find((one) => typeof one === 'function') as (() => void) | undefined;
    if (done !== undefined) process.nextTick(done);
    return true;
  };
}

interface Opened {
  readonly running: RunningService;
  readonly log: ReturnType<typeof createLogger>;
  readonly stopTimeoutMs: number;
}

/** Opens a service as `runMain` does in a separate process. Reports a failed start and returns undefined. */
async function open(
  { name, file, environment }: HostedService, tell: Tell, stopping: AbortSignal,
): Promise<Opened | undefined> {
  const destination = { write: (line: string) => tell({ kind: 'log', line: line.trimEnd() }) };
  const log = createLogger({ service: name, destination });
  try {
    const { service } = await import(pathToFileURL(file).href) as { readonly service: DefinedService };
    const config = service.read({ environment, log });
    const options = { destination, processMetrics: false };
    const running = await openService(
      service.name, config, stopping, (opening) => service.start(opening, config as never), options,
    );
    log.info({ addresses: running.addresses, version: platformVersion }, 'ready');
    tell({ kind: 'ready', addresses: running.addresses });
    if (!compiled.has(file)) {
      compiled.add(file);
      flushCompileCache();
    }
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

/** An uncaught error of a service ends the whole process, because the state of the process is then unknown. */
function endAll(error: unknown): void {
  const text = error instanceof Error ? error.stack ?? error.message : String(error);
  console.error(text);
  const line = JSON.stringify({ level: 'fatal', service: 'host', message: 'uncaught error', error: text });
  for (const client of clients) tellerOf(client)({ kind: 'log', line });
  setTimeout(() => process.exit(1), lastLinesMs);
}
