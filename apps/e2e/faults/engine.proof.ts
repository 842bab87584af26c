import {
  outageOf, ownEngine, type OwnEngine, ownPostgres, type ProofOptions, type ProofResult, seeded, type SeededRandom,
  tcpProxy, type TcpProxy, until,
} from '@platform/testing';
import { lyingEngine, type LyingEngine } from '../proofs/authorization/lying-engine.ts';
import { adminHttp, engineCalls } from '../src/admin-http.ts';
import { specCall } from '../src/operator.ts';
import { startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';
import { prepareCalls } from './calls.ts';
import { backWithin, type Kind, type Load, refusals, startLoad } from './load.ts';
import { prepareRights, settled } from './rights.ts';

export const name = 'engine-faults';
export const describe = 'OpenFGA is away for 10 s, slow (5 s), silent, cut in mid-answer, lying, killed and restarted under '
  + 'load: known decisions go on, others are 503 in time, nothing is allowed against the rows, normal within 5 s, no leak.';
export const servers = true;

const wholeAwayMs = 10_000;
const clients = 8;
/** The longest time for an answer, in milliseconds, during any fault of the engine; `request.timeout` is 30 s. */
const answerMs = 12_000;
/** Time limit for writing all pending changes to the engine, in milliseconds. */
const catchUpMs = 30_000;
/** The most connections of authz to the engine; it makes this many calls at a time. */
const mostConnections = 8;

/** Reads that need a decision: a replica without the decision must ask the engine. */
const needsDecision: ReadonlySet<string> = new Set([
  'teams', 'team', 'allowed permissions', 'allowed permissions of many',
]);

interface Parts {
  readonly engine: OwnEngine;
  readonly proxy: TcpProxy;
  readonly liar: LyingEngine;
  readonly random: SeededRandom;
  readonly share: number;
}

interface Fault {
  readonly name: string;
  begin(): Promise<unknown> | unknown;
  /** The fault lasts until this many further calls were refused. */
  readonly refused: number;
  end(): Promise<unknown> | unknown;
}

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  await using relations = await ownPostgres();
  const engine = await ownEngine(relations);
  await using liar = await lyingEngine(engine.url);
  const proxy = await tcpProxy(liar.url);
  await using world = await startWorld({
    hosts: organizationHosts,
    replicas: { 'orgs-teams': 2 },
    ownProcess: { of: 'all', because: 'measured' },
    settings: { ...engine.settings, 'openfga.url': `http://${proxy.address}`, 'log.level': 'fatal' },
  });
  const inTime = {
    send: (...[method, path, request]: Parameters<typeof world.platform.http.send>) =>
      world.platform.http.send(method, path, { ...request, within: backWithin(answerMs, share) }),
  };
  // Replicas keep their decisions about the first organization, and forget those about the second when an outage
  // begins.
  const [known, unknown] = [await prepareCalls(world, inTime), await prepareCalls(world, inTime)];
  await using load = startLoad([
    ...[...known.reads, ...known.writes].map((kind) => ({ ...kind, name: `known: ${kind.name}` })),
    ...unknown.reads.filter(({ name: one }) => needsDecision.has(one))
      .map((kind) => ({ ...kind, name: `unknown: ${kind.name}` })),
  ], { clients, share });
  await load.steady(30_000);
  await decided(world, known.reads, load);
  const held = await handles(world);
  const counterexamples: string[] = [];
  const shown: string[] = [];

  for (const fault of faults({ engine, proxy, liar, random, share })) {
    const rights = await prepareRights(world);
    await load.phase();
    await fault.begin();
    await unknown.forget();
    const accepted = await rights.change();
    const wrongs = await rights.wrongs();
    await load.refused(fault.refused, 120_000);
    wrongs.push(...await rights.wrongs());
    const ready = await readiness(world);
    await fault.end();
    const over = performance.now();
    const within = backWithin(5_000, share);
    const late = (error: unknown) => void wrongs.push(String(error));
    await Promise.all([load.steady(within), rights.known(within)].map((back) => back.catch(late)));
    const back = Math.round(performance.now() - over);
    // Writes made during the fault form a queue, which must be empty in time.
    await settled(world, catchUpMs).catch(late);
    wrongs.push(...await rights.wrongs());
    const during = await load.phase();
    await load.answered(50, 60_000);
    const after = await load.phase();
    wrongs.push(...during.wrong, ...during.lost, ...after.wrong, ...after.lost, ...ready);
    for (const [kind, count] of during.unavailable) {
      if (kind.startsWith('known')) wrongs.push(`${kind}: refused ${count} times`);
    }
    if (refusals(after) > 0) wrongs.push(`${refusals(after)} calls refused when it was over`);
    if (accepted === 0) wrongs.push('no right could be changed, so no revocation was tried');
    counterexamples.push(...wrongs.map((what) => `${fault.name}: ${what}`));
    shown.push(`${fault.name}: ${during.right} right, ${refusals(during)} refused, normal after ${back} ms`);
    report(`${shown.at(-1)!}, ${accepted} rights changed, ${wrongs.length} wrong`);
  }

  await load.stop();
  counterexamples.push(...await known.disagreements(), ...await leaks(world, proxy, held));
  const { differences } = await world.operator.admin.checkDrift({ organizationId: 0, limit: 5 }, specCall());
  counterexamples.push(...differences.map((difference) => `rows and engine differ: ${JSON.stringify(difference)}`));
  return {
    figure: `${shown.join('; ')}; ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples: counterexamples.slice(0, 20),
  };
}

/** Asks until every replica has the decisions: several bursts in a row, besides the load, do not reach the engine. */
async function decided(world: World, kinds: readonly Kind[], load: Load): Promise<void> {
  let quiet = 0;
  await until(async () => {
    const before = await engineCalls(world.platform, 'BatchCheck');
    await Promise.all(kinds.flatMap((kind) => [kind.call(), kind.call(), kind.call()]));
    await load.answered(4 * clients, 30_000);
    quiet = (await engineCalls(world.platform, 'BatchCheck')) === before ? quiet + 1 : 0;
    return quiet === 5;
  }, { what: 'every replica has decided', within: 60_000 });
}

function faults({ engine, proxy, liar, random, share }: Parts): readonly Fault[] {
  const awayMs = Math.max(1_500, wholeAwayMs * share);
  const release = () => proxy.release();
  const lies = (what: string, lie: Parameters<LyingEngine['lie']>[0]): Fault => ({
    name: `lies: ${what}`, begin: () => liar.lie(lie), refused: 20, end: () => liar.lie(undefined),
  });
  const away: Fault = {
    name: `away ${awayMs / 1_000} s`, begin: () => proxy.refuse(), refused: 20,
    end: async () => {
      await outageOf(awayMs);
      await release();
    },
  };
  const html = lies('HTML, also to writes', { text: '<html>busy</html>', type: 'text/html', writes: true });
  const killed: Fault = { name: 'killed', begin: engine.kill, refused: 20, end: engine.start };
  if (share < 1) return [away, html, killed];
  return [
    away,
    killed,
    { name: 'stopped', begin: engine.stop, refused: 20, end: engine.start },
    { name: 'slow (5 s for each piece)', begin: () => proxy.delay(5_000), refused: 20, end: release },
    { name: 'silent', begin: () => proxy.hold(), refused: 20, end: release },
    { name: 'connections cut in mid-answer', begin: () => proxy.cutAfter(random.integer(0, 300)), refused: 20, end: release },
    html,
    lies('500 to everything', { text: '{"code":"internal_error","message":"no"}', status: 500, writes: true }),
    lies('half of each answer', {}),
    lies('an empty object', '{}'),
    lies('yes to everything, in other words', '{"allowed":true,"result":{"c0":{"allowed":"true"}}}'),
    lies('invalid tuples and results', '{"result":{"c0":{}},"tuples":[{}],"continuation_token":""}'),
    lies('nothing at all', ''),
    lies('what is no object', '[true]'),
  ];
}

/**
 * Checks the readiness of replicas during a fault: authz needs the engine and may be unready; the others stay ready.
 */
async function readiness({ platform }: World): Promise<string[]> {
  const ask = async (service: 'authz' | 'orgs-teams' | 'gateway', right: readonly number[]) => {
    const { addresses } = platform.services[service].replicas[0];
    const { status, text } = await adminHttp(addresses['admin']!).get('/readyz', { within: 5_000 });
    return right.includes(status) ? [] : [`${service} says ${status} ${text} of itself`];
  };
  // An engine that lies only about checks still answers the probe of authz truthfully.
  const asked = [ask('authz', [200, 503]), ask('orgs-teams', [200]), ask('gateway', [200])];
  return (await Promise.all(asked)).flat();
}

/** Number of open files and connections of each replica. */
async function handles({ platform }: World): Promise<number[]> {
  const replicas = [...platform.services.authz.replicas, ...platform.services['orgs-teams'].replicas];
  return Promise.all(replicas.map(async ({ addresses }) => {
    const { text } = await adminHttp(addresses['admin']!).get('/metrics');
    return Number(/^process_open_fds(?:{.*})? (\d+)$/m.exec(text)?.[1]);
  }));
}

/** Files and connections that are still open after the load has ended. */
async function leaks(world: World, proxy: TcpProxy, before: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  const note = (error: unknown) => void found.push(String(error));
  const limit = mostConnections * world.platform.services.authz.replicas.length;
  await until(() => proxy.connections.open <= limit, {
    what: `at most ${limit} connections to the engine are open`,
  }).catch(note);
  const atRest = async () => (await handles(world)).every((count, index) => count <= before[index]! + 2 * mostConnections);
  await until(atRest, { within: 20_000, what: `each service holds as many files and connections as before: ${before}` })
    .catch(note);
  return found;
}
