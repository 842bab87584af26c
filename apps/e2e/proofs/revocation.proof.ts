import {
  ownBus, type OwnClock, ownClock, ownEngine, ownPostgres, type ProofOptions, type ProofResult, seeded, type SeededRandom,
  tcpProxy,
} from '@platform/testing';
import { startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';
import { disturbance } from './revocation/disturbances.ts';
import { baseUrl } from './revocation/sessions.ts';
import type { Way } from './revocation/way.ts';
import { type Lane, openLane } from './revocation/ways.ts';

export const name = 'revocation';
export const describe = 'A right is given, used by a token or a session, taken away and used again through other gateways, '
  + '100,000 times over all ways, with leases: orgs-teams, authz and OpenFGA are killed, stopped and cut off, as are the bus and '
  + 'PostgreSQL, and wall clocks are set an hour forward and back; 3 replicas of each service; 0 stale allows.';
export const servers = true;

const wholeRounds = 100_000;
const lanesAtOnce = 12;
/** A smaller share starts fewer processes, and does not change clocks. */
const largeShare = 0.02;
/** Rounds between two disturbances. */
const calm = { large: 100, small: 20 };
const replicas = 3;

interface Tally {
  rounds: number;
  /** Requests refused after the right was gone, by status. */
  readonly refused: Map<number, number>;
  /** Requests allowed after the right was gone. */
  readonly stale: string[];
  /** Granted rights that never took effect, and revoked rights that were never clearly refused. */
  readonly lost: string[];
  readonly ways: Map<string, number>;
}

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const rounds = Math.max(20, Math.round(wholeRounds * share));
  const isLarge = share >= largeShare;
  const clocks = isLarge ? await clocksOf(replicas) : [];
  await using postgres = await ownPostgres();
  const engine = await ownEngine(postgres);
  await using engineProxy = await tcpProxy(engine.url);
  await using bus = await ownBus();
  const count = isLarge ? replicas : 2;
  await using world = await startWorld({
    hosts: organizationHosts,
    postgres,
    replicas: { gateway: 3, 'orgs-teams': count, authz: count },
    ownProcess: { of: ['authz', 'orgs-teams'], because: 'killed' },
    surroundings: (service, replica) => (service === 'orgs-teams' && clocks[replica] ? clocks[replica] : {}),
    settings: {
      ...engine.settings, ...bus.settings, 'openfga.url': `http://${engineProxy.address}`, 'http.baseURL': baseUrl,
      'leases.enabled': 'true',
    },
  });
  const lanes = await Promise.all(Array.from({ length: Math.min(lanesAtOnce, rounds) }, () => openLane(world)));
  const tally: Tally = { rounds: 0, refused: new Map(), stale: [], lost: [], ways: new Map() };

  const scene = { world, engine, engineProxy, bus, postgres, clocks, random };
  // Each day's share begins with another disturbance.
  const first = random.integer(0, 1_000);
  const disturbances: string[] = [];
  let disturbing: Promise<void> = Promise.resolve();
  const rest = isLarge ? calm.large : calm.small;
  let next = rest;
  await Promise.all(lanes.map(async (lane) => {
    while (tally.rounds < rounds) {
      tally.rounds += 1;
      if (tally.rounds >= next) {
        next = Number.POSITIVE_INFINITY;
        const { name: what, happen } = disturbance(first + disturbances.length, scene);
        disturbances.push(what);
        disturbing = happen(scene).catch((error: unknown) => void tally.lost.push(`${what}: ${String(error)}`))
          .then(() => void (next = tally.rounds + rest));
      }
      const way = random.pick(lane.ways);
      await round(world, lane, way, random, tally);
      const { stale, lost } = tally;
      if (tally.rounds % 250 === 0) report(`${tally.rounds} rounds, ${stale.length} stale, ${lost.length} lost`);
    }
  }));
  await disturbing;
  const { stale, lost, refused, ways } = tally;
  const counted = (texts: readonly string[]) =>
    [...new Set(texts)].map((text) => `${texts.filter((one) => one === text).length} ${text}`).join(', ');
  return {
    figure: `${tally.rounds} rounds over ${ways.size} ways, ${stale.length} stale allows, ${lost.length} lost; refusals `
      + `${[...refused].sort().map(([status, times]) => `${status}: ${times}`).join(', ')}; ${counted(disturbances)}`
      + (isLarge && clocks.length === 0 ? '; clocks not set: libfaketime is not installed' : ''),
    holds: stale.length === 0 && lost.length === 0 && tally.rounds >= rounds,
    counterexamples: [...stale, ...lost].slice(0, 20),
  };
}

/** Grants, uses and revokes a right, and uses it at once through the other gateways. */
async function round({ platform }: World, lane: Lane, way: Way, random: SeededRandom, tally: Tally): Promise<void> {
  const gateways = random.shuffle(platform.services.gateway.replicas.map(({ addresses }) => addresses['http']!));
  tally.ways.set(way.name, (tally.ways.get(way.name) ?? 0) + 1);
  const what = `round ${tally.rounds}, ${way.name}`;
  const right = await way.give();
  const given = await settledStatus(() => lane.use(gateways[0]!, right), (status) => status === 200);
  if (given !== 200) tally.lost.push(`${what}: given, but answered ${given}`);
  await right.take();
  const others = await Promise.all(gateways.slice(1).map((gateway) => lane.use(gateway, right)));
  for (const status of others) {
    tally.refused.set(status, (tally.refused.get(status) ?? 0) + 1);
    if (status < 400) tally.stale.push(`${what}: answered ${status} after it was taken away`);
  }
  const clear = await settledStatus(() => lane.use(gateways[0]!, right), (status) => status < 500);
  if (clear < 400) tally.stale.push(`${what}: answered ${clear} by the gateway that had allowed it`);
  if (clear >= 500) tally.lost.push(`${what}: taken away, and answered ${clear} to the end`);
}

const patienceMs = 30_000;

/** Asks until the status is decisive; while the engine is unavailable it is 503. */
async function settledStatus(ask: () => Promise<number>, settles: (status: number) => boolean): Promise<number> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const status = await ask();
    // Everything except trouble of the engine is an answer, expected or not.
    if (settles(status) || status < 500 || performance.now() > end) return status;
  }
}

/** Clocks for this number of processes; none if `libfaketime` is not installed. */
async function clocksOf(count: number): Promise<readonly OwnClock[]> {
  const clocks = await Promise.all(Array.from({ length: count }, () => ownClock()));
  return clocks.filter((clock) => clock !== undefined);
}
