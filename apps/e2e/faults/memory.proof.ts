import { services as table } from '@platform/service';
import { memoryGroup, type MemoryGroup, type ProofOptions, type ProofResult, until } from '@platform/testing';
import { residentMemory } from '../src/load/resident-memory.ts';
import type { ManySockets } from '../sockets/many-sockets.ts';
import { startSockets } from '../sockets/start-sockets.ts';
import { startWorld, type World } from '../src/orgs/world.ts';
import { prepareCalls } from './calls.ts';
import { backWithin, startLoad } from './load.ts';

export const name = 'memory';
export const describe = 'Gateway and services have 1 GiB of memory together, for 60 s of honest load beside 1,500 connections '
  + 'that mean harm: none takes 512 MiB, none is killed, all are answered; one that is killed for memory loses nothing.';
export const servers = true;

const mebibyte = 1024 * 1024;
const together = 1024 * mebibyte;
const mostOfOne = 512 * mebibyte;
const clients = 32;
const wholeMs = 60_000;
const wholeHarm = 500;
const services = table.map(({ name }) => name);

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  const group = await memoryGroup(together);
  const ofOrgsTeams = await group?.inner(together);
  // Without cgroups the proof still measures each process, but limits none.
  await using world = await startWorld({
    ownProcess: { of: 'all', because: 'measured' },
    settings: { 'log.level': 'error' },
    surroundings: (service) => {
      const mine = service === 'orgs-teams' ? ofOrgsTeams : group;
      return mine === undefined ? {} : { confine: mine.confine };
    },
  });
  const calls = await prepareCalls(world);
  await using load = startLoad([...calls.reads, ...calls.writes], { clients, share });
  await load.steady(60_000);
  await load.phase();
  const counterexamples: string[] = [];
  const most = new Map<string, number>();

  const look = async (): Promise<void> => {
    const taken = residentMemory(process.pid);
    for (const service of services) most.set(service, Math.max(most.get(service) ?? 0, taken.get(service) ?? 0));
    if (group !== undefined) most.set('together', Math.max(most.get('together') ?? 0, await group.resident()));
  };
  const harm = harms(share, world.platform.adminToken);
  const partMs = wholeMs * share / (harm.length + 1);
  const port = Number(new URL(world.platform.baseUrl).port);
  for (const [what, sockets] of [['nobody', undefined], ...harm] as const) {
    using started = sockets && startSockets({ ...sockets, port });
    await started?.opened;
    const end = performance.now() + partMs;
    await until(async () => {
      await look();
      return performance.now() >= end;
    }, { within: partMs + 60_000, what: 'the time is over' });
    report(`beside ${what}: ${shown(most)}`);
  }
  const tally = await load.phase();
  counterexamples.push(...tally.wrong, ...tally.lost);
  if (tally.unavailable.size > 0) counterexamples.push(`refused: ${[...tally.unavailable].join('; ')}`);
  for (const service of services) {
    if (most.get(service)! >= mostOfOne) counterexamples.push(`${service} took ${most.get(service)} bytes`);
  }
  for (const { name, replicas } of Object.values(world.platform.services)) {
    if (replicas.some(({ hasEnded }) => hasEnded)) counterexamples.push(`${name} ended`);
  }

  let squeezed = 'not bounded, and none killed: no group of the kernel may be made here';
  if (group !== undefined && ofOrgsTeams !== undefined) {
    const killedBefore = await group.killed();
    if (killedBefore > 0) counterexamples.push(`${killedBefore} processes were killed`);
    const by = await squeeze(ofOrgsTeams, world);
    await load.steady(backWithin(5_000, share));
    const after = await load.phase();
    counterexamples.push(...after.wrong, ...after.lost);
    squeezed = `orgs-teams killed for its memory ${by}, ${after.right} right meanwhile`;
  }
  await load.stop();
  counterexamples.push(...await calls.disagreements());
  const isTriedWhole = group !== undefined && ofOrgsTeams !== undefined;
  return {
    figure: `${tally.right} calls right, at most ${shown(most)}; ${squeezed}; ${counterexamples.length} wrong`,
    holds: counterexamples.length > 0 ? false : isTriedWhole || undefined,
    counterexamples: counterexamples.slice(0, 20),
  };
}

/**
 * Limits the memory of orgs-teams to what it uses now, until the kernel kills it; then starts it again. Returns how it
 * ended. If the kernel only keeps looking for pages to reclaim, does not wait for it.
 */
async function squeeze(group: MemoryGroup, { platform }: World): Promise<string> {
  const [replica] = platform.services['orgs-teams'].replicas;
  const { exited } = replica;
  let ended = false;
  void exited.then(() => (ended = true));
  const byKernel = await until(async () => {
    await group.bound(await group.used() - mebibyte).catch(() => undefined);
    return ended;
  }, { within: 20_000, what: 'orgs-teams is killed for its memory' }).then(() => true, () => false);
  await group.bound(together);
  if (!byKernel) await replica.kill();
  await replica.restart();
  return byKernel ? 'by the kernel' : 'in place of the kernel';
}

function shown(most: ReadonlyMap<string, number>): string {
  return [...most].map(([kind, bytes]) => `${kind} ${Math.round(bytes / mebibyte)} MiB`).join(', ');
}

/** Connections that take as much memory as they can. */
function harms(share: number, token: string): readonly (readonly [string, Omit<ManySockets, 'port'>])[] {
  const count = Math.max(20, Math.round(wholeHarm * share));
  const post = 'POST /api/v1/orgs HTTP/1.1\r\nHost: x\r\n';
  const body = `Authorization: token ${token}\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n`;
  const ahead = 'GET /api/v1/version HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100);
  const everyMs = 500;
  return [
    ['bodies that do not end', { count, bytes: `${post}${body}${' '.repeat(100_000)}`, drip: ' ', everyMs }],
    ['headers that do not end', { count, bytes: `${post}X: ${'a'.repeat(30_000)}`, drip: '', everyMs }],
    ['requests sent ahead', { count, bytes: ahead, drip: '', everyMs }],
  ];
}
