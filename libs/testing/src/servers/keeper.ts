// The process that keeps a run's servers. The process that runs the specs starts it, and it ends with this process:
// when the IPC channel closes for any reason, the keeper stops everything it has started and removes its folders.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { serviceHosts, type ServiceHosts } from './service-hosts.ts';
import type { KeeperAnswers, KeeperMessage, KeeperRefusal, KeeperRequest } from './keeper-protocol.ts';
import { shareServers, type SharedServers } from './shared-servers.ts';

const stopping = new AbortController();
process.once('disconnect', () => stopping.abort());
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
process.exitCode = await keep();

async function keep(): Promise<number> {
  let servers: SharedServers;
  try {
    servers = await shareServers((line) => tell({ kind: 'report', line }), stopping.signal);
  } catch (error) {
    tell({ kind: 'failed', refusal: refusalOf(error) });
    release();
    return 1;
  }
  const folder = await mkdtemp(join(tmpdir(), 'platform-keeper-'));
  await chmod(folder, 0o700);
  const socket = join(folder, 'keeper.sock');
  const hosts = serviceHosts(folder);
  const listener = createServer((request, response) => void handle({ servers, hosts }, request, response));
  await new Promise<void>((resolve) => listener.listen(socket, resolve));
  tell({ kind: 'ready', socket });

  if (!stopping.signal.aborted) {
    await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }));
  }
  listener.close();
  listener.closeAllConnections();
  await hosts[Symbol.asyncDispose]();
  await servers[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
  release();
  return 0;
}

type Kept = Readonly<{ servers: SharedServers; hosts: ServiceHosts }>;

async function handle(kept: Kept, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const reply = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  try {
    reply(200, await answerTo(kept, (await json(request)) as KeeperRequest));
  } catch (error) {
    reply(500, refusalOf(error));
  }
}

type Answer = KeeperAnswers[keyof KeeperAnswers];

async function answerTo({ servers, hosts }: Kept, question: KeeperRequest): Promise<Answer> {
  switch (question.ask) {
    case 'postgres': return { superuserUrl: await servers.postgres() };
    case 'nats': return servers.nats();
    case 'openfga': return servers.openfga();
    case 'lab': return servers.lab();
    case 'leave-lab':
      servers.leaveLab();
      return { left: true };
    case 'host': return hosts.of(question.worker);
    case 'lone-host': return hosts.alone();
    case 'database': return (await servers.databases()).clone(question.service, question.migrations);
    case 'drop':
      await (await servers.databases()).drop(question.database);
      return { dropped: question.database };
  }
}

function refusalOf(error: unknown): KeeperRefusal {
  const { reason, cure } = error as { reason?: unknown; cure?: unknown };
  const what = error instanceof Error ? error.message : String(error);
  return {
    reason: typeof reason === 'string' ? reason : 'FAILED',
    message: typeof cure === 'string' ? `${what} ${cure}` : what,
  };
}

function tell(message: KeeperMessage): void {
  // The reader may end between the check and the send; then the message has no recipient.
  if (process.connected) process.send?.(message, () => undefined);
}

function release(): void {
  if (process.connected) process.disconnect();
}
