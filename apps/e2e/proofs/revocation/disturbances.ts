import { pause } from '@platform/service';
import type { OwnBus, OwnClock, OwnEngine, OwnPostgres, SeededRandom, TcpProxy } from '@platform/testing';
import type { World } from '../../src/orgs/world.ts';

/** What a disturbance may kill, stop or cut off. */
export interface Scene {
  readonly world: World;
  readonly engine: OwnEngine;
  /** The proxy in front of the engine. */
  readonly engineProxy: TcpProxy;
  readonly bus: OwnBus;
  readonly postgres: OwnPostgres;
  /** The wall clock of each replica of orgs-teams; empty unless the proof sets clocks. */
  readonly clocks: readonly OwnClock[];
  readonly random: SeededRandom;
}

interface Disturbance {
  readonly name: string;
  readonly happen: (scene: Scene) => Promise<void>;
}

/** Waits for a time that may be shorter or longer than the lifetime of a lease. */
function outage(random: SeededRandom, mostMs = 10_000): Promise<void> {
  return pause(random.integer(1_000, mostMs));
}

const killed = (service: 'authz' | 'orgs-teams') => async ({ world: { platform }, random }: Scene) => {
  const replica = random.pick(platform.services[service].replicas);
  await replica.kill();
  await replica.restart();
};

async function gone(proxy: TcpProxy, random: SeededRandom): Promise<void> {
  await proxy.refuse();
  await outage(random, 5_000);
  await proxy.release();
}

async function held(proxy: TcpProxy, random: SeededRandom): Promise<void> {
  proxy.hold();
  await outage(random, 5_000);
  await proxy.release();
}

/** Stops a replica that holds leases, and lets it continue: its lease may have ended meanwhile (leases.md L1). */
async function stopped({ world: { platform }, random }: Scene): Promise<void> {
  const { pid } = random.pick(platform.services['orgs-teams'].replicas);
  process.kill(pid, 'SIGSTOP');
  try {
    await outage(random);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/** Sets the wall clock of one replica an hour forward or back, and right again. */
async function stepped({ clocks, random }: Scene): Promise<void> {
  const clock = random.pick(clocks);
  await clock.step(random.pick([-1, 1]));
  await outage(random, 5_000);
  await clock.step(0);
}

const always: readonly Disturbance[] = [
  { name: 'OpenFGA killed', happen: async ({ engine, random }) => {
    await engine.kill();
    await outage(random, 2_000);
    await engine.start();
  } },
  { name: 'orgs-teams stopped', happen: stopped },
  { name: 'authz killed', happen: killed('authz') },
  { name: 'bus gone', happen: ({ bus, random }) => gone(bus.proxy, random) },
  { name: 'orgs-teams killed', happen: killed('orgs-teams') },
  { name: 'OpenFGA cut', happen: async ({ engineProxy }) => engineProxy.cut() },
  { name: 'PostgreSQL cut', happen: async ({ postgres }) => postgres.proxy.cut() },
  { name: 'bus held', happen: ({ bus, random }) => held(bus.proxy, random) },
  { name: 'OpenFGA gone', happen: ({ engineProxy, random }) => gone(engineProxy, random) },
  { name: 'PostgreSQL held', happen: ({ postgres, random }) => held(postgres.proxy, random) },
];

/** Returns the disturbance that follows this number of others. */
export function disturbance(count: number, { clocks }: Pick<Scene, 'clocks'>): Disturbance {
  const all = clocks.length === 0 ? always : [...always, { name: 'clock stepped', happen: stepped }];
  return all[count % all.length]!;
}
