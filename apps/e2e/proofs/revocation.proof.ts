import {
  type OwnEngine, ownEngine, ownPostgres, type ProofOptions, type ProofResult, seeded, type SeededRandom, tcpProxy,
  type TcpProxy, testBus,
} from '@platform/testing';
import { startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';
import { baseUrl } from './revocation/sessions.ts';
import type { Way } from './revocation/way.ts';
import { type Lane, openLane } from './revocation/ways.ts';

export const name = 'revocation';
export const describe = 'A right is given, used by a token or a session, taken away and used again through other gateways, '
  + '10,000 times over all ways, while authz and OpenFGA are killed and cut off: 3 gateways, 2 orgs-teams, 2 authz; 0 stale allows.';
export const servers = true;

const wholeRounds = 10_000;
const lanesAtOnce = 6;
/** The OpenFGA of this proof, and the proxy through which the services reach it. */
interface Engine {
  readonly server: OwnEngine;
  readonly proxy: TcpProxy;
}

/** Rounds between two disturbances. */
const calm = 40;

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
  await using postgres = await ownPostgres();
  const server = await ownEngine(postgres);
  await using proxy = await tcpProxy(server.url);
  const bus = await testBus();
  await using world = await startWorld({
    hosts: organizationHosts,
    replicas: { gateway: 3, 'orgs-teams': 2, authz: 2 },
    ownProcess: { of: ['authz'], because: 'killed' },
    settings: {
      ...server.settings, ...bus.settings, 'openfga.url': `http://${proxy.address}`, 'http.baseURL': baseUrl,
      'leases.enabled': 'true',
    },
  });
  const lanes = await Promise.all(Array.from({ length: Math.min(lanesAtOnce, rounds) }, () => openLane(world)));
  const tally: Tally = { rounds: 0, refused: new Map(), stale: [], lost: [], ways: new Map() };

  const disturbances: string[] = [];
  let disturbing: Promise<void> = Promise.resolve();
  await Promise.all(lanes.map(async (lane) => {
    while (tally.rounds < rounds) {
      tally.rounds += 1;
      if (tally.rounds % calm === Math.floor(calm / 2)) {
        disturbing = disturbing.then(async () => {
          disturbances.push(await disturb(world, { server, proxy }, disturbances.length, random));
        });
      }
      const way = random.pick(lane.ways);
      await round(world, lane, way, random, tally);
      const { stale, lost } = tally;
      if (tally.rounds % 250 === 0) report(`${tally.rounds} rounds, ${stale.length} stale, ${lost.length} lost`);
    }
  }));
  await disturbing;
  const { stale, lost, refused, ways } = tally;
  const count = (texts: readonly string[]) =>
    [...new Set(texts)].map((text) => `${texts.filter((one) => one === text).length} ${text}`).join(', ');
  return {
    figure: `${tally.rounds} rounds over ${ways.size} ways, ${stale.length} stale allows, ${lost.length} lost; refusals `
      + `${[...refused].sort().map(([status, times]) => `${status}: ${times}`).join(', ')}; ${count(disturbances)}`,
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

const ways = ['OpenFGA killed', 'authz killed', 'OpenFGA cut', 'OpenFGA gone'] as const;

/** Kills a replica of authz or OpenFGA, or disconnects OpenFGA for a while, in turn. */
async function disturb(
  { platform }: World, { server, proxy }: Engine, count: number, random: SeededRandom,
): Promise<string> {
  const what = ways[count % ways.length]!;
  // An outage as long as a few calls of the version endpoint; the other lanes continue meanwhile.
  const meanwhile = async () => {
    for (let times = 0; times < 20; times += 1) await platform.http.get('/api/v1/version');
  };
  if (what === 'OpenFGA cut') {
    proxy.cut();
  } else if (what === 'OpenFGA gone') {
    await proxy.refuse();
    await meanwhile();
    await proxy.release();
  } else if (what === 'OpenFGA killed') {
    await server.kill();
    await meanwhile();
    await server.start();
  } else {
    const replica = random.pick(platform.services.authz.replicas);
    await replica.kill();
    await replica.restart();
  }
  return what;
}
