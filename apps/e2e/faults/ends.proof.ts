import { type ProofOptions, type ProofResult, seeded, type SeededRandom } from '@platform/testing';
import { startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';
import { NeverAccepted, noteAccepted } from './accepted.ts';
import { balancer, lookMs } from './balancer.ts';
import { type Calls, prepareCalls } from './calls.ts';
import { backWithin, type Load, refusals, startLoad, type Tally } from './load.ts';

export const name = 'service-ends';
export const describe = 'Replicas of gateway, orgs-teams and authz are killed and stopped 60 times each under load, of two '
  + 'and of one: a kill costs the calls it was at, a stop none that was accepted; with two replicas a stop costs nothing, '
  + 'and no repeatable call fails. Connections that the only gateway never accepted are counted apart.';
export const servers = true;

/**
 * `delay`: how long a gateway keeps serving after SIGTERM, until its load balancer notices, in milliseconds. 0: without
 * a load balancer.
 */
const worlds = [
  { replicas: 2, delay: 3 * lookMs, wholeRounds: 60 },
  { replicas: 1, delay: 0, wholeRounds: 30 },
  { replicas: 1, delay: 3 * lookMs, wholeRounds: 30 },
] as const;
const clients = 8;
const ended = ['orgs-teams', 'authz', 'gateway'] as const;

interface Count {
  rounds: number;
  right: number;
  refused: number;
  neverAccepted: number;
  cut: number;
}

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const counterexamples: string[] = [];
  const counts = new Map<string, Count>();
  for (const { replicas, delay, wholeRounds } of share === 1 ? worlds : worlds.slice(0, 2)) {
    const rounds = Math.max(1, Math.round(wholeRounds * share));
    await using accepted = await noteAccepted();
    await using world = await startWorld({
      hosts: organizationHosts,
      replicas: { 'orgs-teams': replicas, authz: replicas, gateway: replicas },
      ownProcess: { of: 'all', because: 'killed' },
      settings: { 'log.level': 'fatal', 'stop.delay': `${delay}ms` },
      surroundings: (service) => (service === 'gateway' ? accepted.surroundings : {}),
    });
    const { gateways, services } = world.platform;
    await using balanced = balancer(gateways, services.gateway.replicas);
    const calls = await prepareCalls(world, accepted.watch(balanced));
    await using load = startLoad([...calls.reads, ...calls.writes], { clients, share });
    await load.steady(30_000);
    for (let round = 0; round < rounds; round += 1) {
      for (const service of ended) {
        for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
          const isGateway = service === 'gateway';
          const stops = signal === 'SIGTERM';
          const how = [...(stops ? ['stopped'] : ['killed']), ...(isGateway && stops ? [`after ${delay} ms`] : [])];
          const what = `${service} ${how.join(' ')}, one of ${replicas}`;
          const tally = await endOne(world, calls, load, { service, signal, random, share });
          counterexamples.push(...judge(tally, { isGateway, stops, replicas }).map((wrong) => `${what}: ${wrong}`));
          const count = counts.get(what) ?? { rounds: 0, right: 0, refused: 0, neverAccepted: 0, cut: 0 };
          counts.set(what, count);
          count.rounds += 1;
          count.right += tally.right;
          count.refused += refusals(tally);
          count.neverAccepted += tally.lost.filter(isNeverAccepted).length;
          count.cut += tally.lost.filter(isCut).length;
        }
      }
      report(`${replicas} replicas, ${delay} ms: ${round + 1} of ${rounds} rounds, ${counterexamples.length} wrong`);
    }
    await load.stop();
    counterexamples.push(...await calls.disagreements());
  }
  const shown = [...counts].map(([what, { rounds, right, refused, neverAccepted, cut }]) =>
    `${what}: ${rounds} times, ${right} right, ${refused} refused, ${neverAccepted} never accepted, ${cut} cut`);
  return {
    figure: `${shown.join('; ')}; ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples: counterexamples.slice(0, 20),
  };
}

interface End {
  readonly service: (typeof ended)[number];
  readonly signal: 'SIGTERM' | 'SIGKILL';
  readonly random: SeededRandom;
  readonly share: number;
}

/** Ends a replica at a random moment of the load and starts it again; returns the results of the calls meanwhile. */
async function endOne(
  { platform }: World, calls: Calls, load: Load, { service, signal, random, share }: End,
): Promise<Tally> {
  await calls.forget();
  await load.phase();
  await load.answered(random.integer(1, 30), 60_000);
  const replica = random.pick(platform.services[service].replicas);
  await replica.kill(signal);
  await replica.restart();
  await load.steady(backWithin(5_000, share));
  return load.phase();
}

/** The connection was still waiting to be accepted when its listener closed, so it carried no request. */
const isNeverAccepted = (lost: string) => lost.includes(`${NeverAccepted.name}:`);
/** Whether a request was lost. A refused connection carried no request. */
const isCut = (lost: string) => !isNeverAccepted(lost) && !lost.includes('connect ');

function judge(
  tally: Tally, { isGateway, stops, replicas }: { isGateway: boolean; stops: boolean; replicas: number },
): string[] {
  const wrongs = [...tally.wrong];
  const { lost } = tally;
  const refused = refusals(tally);
  const refusedReads = refused - (tally.unavailable.get('create a team') ?? 0);
  const cut = lost.filter(isCut);
  if (replicas > 1) {
    if (stops && refused + lost.length > 0) {
      wrongs.push(`${refused} refused, ${lost.length} lost: ${lost[0] ?? tally.firstUnavailable ?? ''}`);
    }
    if (!isGateway && (refusedReads > 0 || lost.length > 0)) wrongs.push(`${refusedReads} repeatable calls refused`);
    if (refused + cut.length > 2 * clients) wrongs.push(`${refused + cut.length} calls cut by ${clients} clients`);
  }
  if (!isGateway && lost.length > 0) wrongs.push(`${lost.length} connections lost: ${lost[0]}`);
  if (isGateway && stops && cut.length > 0) wrongs.push(`${cut.length} accepted and not answered: ${cut[0]}`);
  if (isGateway && cut.length > clients) wrongs.push(`${cut.length} connections cut by ${clients} clients`);
  if (isGateway && refused > 0) wrongs.push(`${refused} refused`);
  return wrongs;
}
