import { isDeepStrictEqual } from 'node:util';
import { readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { services } from '@platform/service';
import { readSurface } from '@platform/surface';
import {
  type BusLie, lyingBus, type LyingBus, outageOf, ownBus, type OwnBus, type ProofOptions, type ProofResult,
  type Replica, seeded, type SeededRandom, until,
} from '@platform/testing';
import { adminHttp } from '../src/admin-http.ts';
import { callExample, shownAnswer } from '../src/examples/call-example.ts';
import { deploymentFor, hosted } from '../src/examples/deployments.ts';
import { startExampleWorld } from '../src/examples/example-world.ts';
import { startWorld } from '../src/orgs/world.ts';
import { type Agents, prepareAgents } from './agents.ts';
import { prepareCalls, readKind } from './calls.ts';
import { backWithin, refusals, startLoad } from './load.ts';

export const name = 'bus-faults';
export const describe = 'NATS is away at the start, away for 10 s, slow (5 s), silent, cut in mid-answer, lying, killed and robbed '
  + 'of its state: every endpoint that does not need it answers as ever, credentials work or were refused, normal within 5 s.';
export const servers = true;

const wholeAwayMs = 10_000;
const clients = 6;
/** Limit for the creation of a bus account while the bus is unavailable, in milliseconds. */
const answerMs = 20_000;

interface Fault {
  readonly name: string;
  begin(): Promise<unknown> | void;
  end(): Promise<unknown>;
}

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const liar = await lyingBus();
  const counterexamples: string[] = [];
  const note = (fault: Fault, wrongs: readonly string[]) =>
    void counterexamples.push(...wrongs.map((what) => `${fault.name}: ${what}`));

  let endpoints = 0;
  for (const which of share === 1 ? ['away at the start', 'silent', 'lets in, and answers {}'] : ['away']) {
    await using examples = await startExampleWorld();
    const { bus, world } = examples;
    const fault = faults(bus, liar, random).find(({ name: one }) => one === which)!;
    await fault.begin();
    if (which === 'away at the start') {
      await Promise.all(Object.values(world.platform.services).flatMap(({ replicas }) => replicas.map((one) => one.restart())));
    }
    const wrongs = await tryEndpoints(examples);
    note(fault, wrongs);
    await Promise.all(Object.values(world.platform.services).map((service) => service.stop()));
    endpoints += (await readExamples()).size;
    report(`${fault.name}: every endpoint was called, ${wrongs.length} wrong`);
  }

  const bus = await ownBus();
  await using world = await startWorld({
    replicas: { 'orgs-teams': 2 }, settings: { ...bus.settings, 'log.level': 'fatal' },
  });
  const { replicas } = world.platform.services['orgs-teams'];
  const onTheBus = services.flatMap((service) => (service.bus ? world.platform.services[service.name].replicas : []));
  const calls = await prepareCalls(world);
  const agents = await prepareAgents(world, bus);
  const list = await readKind(world.platform.http, 'bus accounts', agents.calm.token, 'GET', agents.calm.path);
  await using load = startLoad([...calls.reads, ...calls.writes, list], { clients, share });
  await load.steady(30_000);
  await mentioned(replicas, true, 10_000);
  const shown: string[] = [];
  const all = faults(bus, liar, random);
  const some = new Set(['away', 'lets in, and says garbage', 'killed, and robbed of its state']);
  for (const fault of share === 1 ? all : all.filter(({ name: one }) => some.has(one))) {
    await load.phase();
    const wrongs = await tryAgents(agents, fault, { replicas, share });
    const tally = await load.phase();
    wrongs.push(...tally.wrong, ...tally.lost);
    if (refusals(tally) > 0) {
      wrongs.push(`${refusals(tally)} calls that need no bus were refused, first ${tally.firstUnavailable!}`);
    }
    note(fault, wrongs);
    shown.push(`${fault.name}: ${tally.right} right`);
    report(`${shown.at(-1)!}, ${wrongs.length} wrong`);
  }
  await load.stop();
  counterexamples.push(...await calls.disagreements(), ...await leaks(bus, liar, onTheBus));
  return {
    figure: `${endpoints} calls of endpoints without a bus; ${shown.join('; ')}; ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples: counterexamples.slice(0, 20),
  };
}

function faults(bus: OwnBus, liar: LyingBus, random: SeededRandom): readonly Fault[] {
  const { proxy } = bus;
  const release = () => proxy.release();
  const lies = (what: string, lie: BusLie): Fault => ({
    name: what,
    begin: () => {
      liar.lie(lie);
      proxy.divert(liar.address);
    },
    end: release,
  });
  return [
    { name: 'away at the start', begin: () => proxy.refuse(), end: release },
    { name: 'away', begin: () => proxy.refuse(), end: release },
    { name: 'slow (5 s for each piece)', begin: () => proxy.delay(5_000), end: release },
    { name: 'silent', begin: () => proxy.hold(), end: release },
    {
      name: 'cut in mid-answer',
      begin: () => {
        proxy.cutAfter(random.integer(0, 300));
        proxy.cut();
      },
      end: release,
    },
    lies('never greets', { says: '' }),
    lies('never ends its first line', { floods: true }),
    lies('greets as a web server', { says: 'HTTP/1.1 400 Bad Request\r\n\r\n' }),
    lies('lets in, and says garbage', { says: 'INFO {"version":"2.15.2","headers":true}\r\nPONG\r\nGET / HTTP/1.1\r\n' }),
    lies('lets in, and announces 60 MB', { says: 'INFO {"version":"2.15.2","headers":true}\r\nPONG\r\nMSG a 1 62914560\r\n' }),
    lies('lets in, and answers {}', { answers: () => '{}' }),
    lies('lets in, and answers nothing', { answers: () => '' }),
    { name: 'stopped', begin: bus.stop, end: bus.start },
    { name: 'killed', begin: bus.kill, end: bus.start },
    {
      name: 'killed, and robbed of its state',
      begin: bus.kill,
      end: async () => {
        await bus.forget();
        await bus.start();
      },
    },
  ];
}

/** Endpoints that change or ask something on the bus. A revocation is stored even while the bus is unavailable. */
const needsBus = new Set([
  'controlplane.billing.v1.DashboardEventService.GetResources',
  'controlplane.contracts.v1.LicenseService.RegisterLicense',
  'controlplane.orgs.v1.TokenService.CreateBusToken',
  'controlplane.orgs.v1.TokenService.RevokeBusToken',
]);
/** The example of this method lists the bus account that a registration creates. */
const listsBusAccounts = 'controlplane.orgs.v1.TokenService.ListBusTokens';

/** Calls every endpoint with its example. Returns the answers that differ from the example. */
async function tryEndpoints(examples: Awaited<ReturnType<typeof startExampleWorld>>): Promise<string[]> {
  const { methods } = readSurface(await readImage());
  const wrongs: string[] = [];
  for (const [fullName, example] of await readExamples()) {
    const method = methods.find((one) => one.fullName === fullName)!;
    if (deploymentFor(method) !== hosted) continue;
    const answer = await callExample(examples, method, example);
    const isShown = () => isDeepStrictEqual(shownAnswer(examples, answer), example.answer);
    const right = needsBus.has(fullName)
      ? answer.status === 503 && Number(answer.header('retry-after')) >= 1
      : answer.status === (method.rest.status || 200) && (fullName === listsBusAccounts || isShown());
    if (!right) wrongs.push(`${fullName} is answered ${answer.status} ${answer.text.slice(0, 200)}`);
  }
  return wrongs;
}

/** Makes and revokes credentials during a fault. Returns the failures meanwhile and afterwards. */
async function tryAgents(
  agents: Agents, fault: Fault, { replicas, share }: { replicas: readonly Replica[]; share: number },
): Promise<string[]> {
  const wrongs: string[] = [];
  const note = (error: unknown) => void wrongs.push(String(error));
  const within = backWithin(5_000, share);
  const [stays, goes] = [await agents.create(answerMs), await agents.create(answerMs)];
  if (stays === undefined || goes === undefined) return ['no credentials could be made before it'];
  await fault.begin();
  const over = outageOf(Math.max(1_500, wholeAwayMs * share));
  await mentioned(replicas, false, 15_000).catch(note);
  const [made, revoked] = await Promise.all([agents.create(answerMs), agents.revoke(goes, answerMs)]);
  if (![200, 503].includes(revoked)) wrongs.push(`a revocation is answered ${revoked}`);
  await over;
  await fault.end();
  const back = [
    mentioned(replicas, true, within), agents.admitted(stays, within), agents.expelled(goes, within),
    ...(made === undefined ? [] : [agents.admitted(made, within)]),
  ];
  await Promise.all(back.map((one) => one.catch(note)));
  return [...wrongs, ...await agents.disagreements()];
}

/** Waits until each replica is ready and reports the state of the bus. */
async function mentioned(replicas: readonly Replica[], isThere: boolean, within: number): Promise<void> {
  await Promise.all(replicas.map(async ({ addresses }) => {
    const admin = adminHttp(addresses['admin']!);
    await until(async () => {
      const answer = await admin.get('/readyz', { within: 3_000 });
      const { ready, checks } = answer.json<{ ready: boolean; checks: { name: string; ok: boolean }[] }>();
      return ready && checks.some(({ name: one, ok }) => one === 'NATS' && ok === isThere);
    }, { within, what: `a ready replica says that the bus is ${isThere ? 'there' : 'away'}` });
  }));
}

/** Connections that are still open at the end; each replica may keep one. */
async function leaks(bus: OwnBus, liar: LyingBus, replicas: readonly Replica[]): Promise<string[]> {
  const found: string[] = [];
  await until(() => liar.open === 0 && bus.proxy.connections.open <= replicas.length, {
    within: 15_000, what: `no more than ${replicas.length} connections are open`,
  }).catch((error: unknown) => void found.push(`${String(error)}: ${bus.proxy.connections.open} and ${liar.open}`));
  return found;
}
