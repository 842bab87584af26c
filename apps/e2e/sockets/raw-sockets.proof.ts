import { type ProofOptions, type ProofResult, until } from '@platform/testing';
import { inContainers } from '../src/load/container.ts';
import { residentMemory } from '../src/load/resident-memory.ts';
import { startWorld } from '../src/orgs/world.ts';
import { sendHalfMessages } from './half-messages.ts';
import type { ManySockets } from './many-sockets.ts';
import { startSockets } from './start-sockets.ts';

export const name = 'raw-sockets';
export const describe = '10,000 idle connections, and 2,000 each that send headers slowly, bodies slowly, half requests, '
  + 'headers without end and requests ahead; 100 gRPC calls to each of two services with 20 MiB of a message that does not '
  + 'end: every process stays up below 512 MiB and an honest client is served.';
export const servers = true;

const wholeIdle = 10_000;
const wholeOthers = 2_000;
const wholeCalls = 100;
const messageBytes = 20 * 1024 * 1024;
const mostBytes = 512 * 1024 * 1024;
const mebibyte = 1024 * 1024;
/** The setting that limits how long a client may take to send a request. */
const requestTimeoutMs = 10_000;

interface Flood extends Omit<ManySockets, 'port'> {
  readonly name: string;
  /** Whether the gateway must close all of these connections itself. */
  readonly isEnded: boolean;
}

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startWorld({
    settings: { 'log.level': 'error', 'http.requestTimeout': `${requestTimeoutMs}ms` },
    surroundings: inContainers,
  });
  const { organization, boss, path } = await world.organizationWith(1);
  const [gateway] = world.platform.services.gateway.replicas;
  const port = Number(new URL(world.platform.baseUrl).port);
  const counterexamples: string[] = [];
  const shown: string[] = [];
  let written = 0;

  /** The results of an honest client during an attack, and the resources that the processes use. */
  async function honest(beside: string): Promise<string> {
    const most = new Map<string, number>();
    let slowest = 0;
    for (let count = 0; count < 10; count += 1) {
      const begun = performance.now();
      const read = await boss.http.get(path, { within: 60_000 });
      written += 1;
      const json = { name: `honest-${written}`, type: 'kubernetes', permission: 'read' };
      const made = await boss.http.post(`/api/v1/orgs/${organization.username}/teams`, { json, within: 60_000 });
      slowest = Math.max(slowest, performance.now() - begun);
      if (read.status !== 200 || made.status !== 201) {
        counterexamples.push(`${beside}: the honest client was answered ${read.status} and ${made.status}`);
      }
      for (const [kind, bytes] of residentMemory(process.pid)) {
        most.set(kind, Math.max(most.get(kind) ?? 0, bytes));
        if (bytes >= mostBytes && processes.has(kind)) {
          counterexamples.push(`${beside}: ${kind} took ${bytes} bytes`);
        }
      }
    }
    const sizeOf = (kind: string) => `${kind} ${((most.get(kind) ?? 0) / mebibyte).toFixed(0)}`;
    const sizes = ['gateway', 'orgs-teams', 'authz'].map(sizeOf);
    return `at most ${sizes.join(', ')} MiB, honest within ${slowest.toFixed(0)} ms`;
  }

  for (const flood of floods(share, boss.token)) {
    using child = startSockets({ ...flood, port });
    const { taken } = await child.opened;
    const seen = await honest(flood.name);
    if (taken < flood.count) counterexamples.push(`${flood.name}: only ${taken} of ${flood.count} connections were taken`);
    if (flood.isEnded) {
      await until(async () => (await child.ask()).open === 0, { within: 6 * requestTimeoutMs, what: 'all are ended' })
        .catch((error: unknown) => counterexamples.push(`${flood.name}: ${String(error)}`));
    }
    if (gateway.hasEnded) counterexamples.push(`${flood.name}: the gateway ended`);
    shown.push(`${taken} ${flood.name}: ${seen}`);
    report(shown.at(-1)!);
  }

  const { services } = world.platform;
  for (const [host, path] of halfMessages) {
    const count = Math.max(4, Math.round(wholeCalls * share));
    const [{ addresses }] = services[host].replicas;
    using calls = sendHalfMessages(addresses['grpc']!, path, count, messageBytes);
    // One source may have one message in progress.
    await until(() => calls.refused >= count - 1, { within: 60_000, what: 'all but one are refused' })
      .catch((error: unknown) => counterexamples.push(`half messages to ${host}: ${String(error)}`));
    shown.push(`${count} half messages to ${host}, ${calls.refused} refused: ${await honest(`half messages to ${host}`)}`);
    if (services[host].replicas[0].hasEnded) counterexamples.push(`half messages to ${host}: it ended`);
    report(shown.at(-1)!);
  }
  return {
    figure: `${shown.join('; ')}; ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples: counterexamples.slice(0, 20),
  };
}

const halfMessages = [
  ['orgs-teams', '/controlplane.orgs.v1.OrganizationService/GetOrganization'],
  ['authz', '/controlplane.authz.v1.DecisionService/GetModel'],
] as const;

const processes = new Set(['gateway', 'orgs-teams', 'authz', 'clusters', 'contracts-licensing']);

function floods(share: number, token: string): readonly Flood[] {
  const count = Math.max(20, Math.round(wholeOthers * share));
  const head = (target: string) => `${target} HTTP/1.1\r\nHost: x\r\n`;
  const everyMs = 500;
  const post = head('POST /api/v1/orgs');
  const version = `${head('GET /api/v1/version')}\r\n`;
  return [
    { name: 'idle', count: Math.round(wholeIdle * share), bytes: '', drip: '', everyMs, isEnded: true },
    { name: 'slow headers', count, bytes: head('GET /'), drip: 'A: b\r\n', everyMs, isEnded: true },
    {
      name: 'slow bodies', count, drip: ' ', everyMs, isEnded: false,
      bytes: `${post}Authorization: token ${token}\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n`,
    },
    { name: 'half requests', count, bytes: `${post}Content-Le`, drip: '', everyMs, isEnded: true },
    { name: 'headers without end', count, bytes: `${post}X: ${'a'.repeat(30_000)}`, drip: '', everyMs, isEnded: true },
    { name: 'some requests ahead', count, bytes: version.repeat(33), drip: '', everyMs, isEnded: false },
    { name: 'many requests ahead', count, bytes: version.repeat(1_500), drip: version, everyMs, isEnded: false },
  ];
}
