import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from '@platform/postgres';
import { type ProofOptions, type ProofResult, seeded, until } from '@platform/testing';
import type { Trouble } from '../src/metricsproxy/fake-server.ts';
import {
  backend, bearer, type ClusterOwner, type MetricsWorld, queryOf, register, registerB, startMetricsWorld, unregister,
  unregisterB,
} from '../src/metricsproxy/metrics-world.ts';
import { outcome } from '../src/orgs/world.ts';

export const name = 'metricsproxy-faults';
export const describe = 'Registrations and removals in both flavors while the dashboard refuses, is slow, cut or nonsense '
  + 'at each of its requests, and with kill -9 of the service at each: afterwards one datasource and one backend, or none.';
export const servers = true;

/** Actions, and the number of requests that each makes at the dashboards of flavor A and B. */
const acts = { 'first registration': [4, 8], 'registration again': [2, 4], 'removal': [1, 2] } as const;
type Act = keyof typeof acts;

/** Kinds of trouble of a dashboard, with the expected answers. */
const answers: readonly (readonly [Trouble, string])[] = [
  [400, '502 bad_upstream'], [401, '502 bad_upstream'], [403, '502 bad_upstream'], [500, '502 bad_upstream'],
  [302, '502 bad_upstream'], [504, '502 bad_upstream'], ['nonsense', '502 bad_upstream'], [429, '503 unavailable'],
  [503, '503 unavailable'], ['cut', '503 unavailable'], ['hang', '504 deadline_exceeded'],
];
const lanesAtOnce = 6;
/** Rounds of the whole proof in which the service is killed during all kinds of work. */
const wholeKills = 6;
/** A lease ends after 12 s; under load everything takes longer. */
const settledMs = 90_000;

interface Case {
  readonly flavor: 'A' | 'B';
  readonly act: Act;
  /** Number of the dashboard requests that are answered before the trouble begins. */
  readonly step: number;
}

/** The remaining objects of an identity. */
interface State { readonly datasources: number; readonly backends: number; readonly tokens: number }
const gone: State = { datasources: 0, backends: 0, tokens: 0 };
const there: State = { datasources: 1, backends: 1, tokens: 1 };

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const steps = (['A', 'B'] as const).flatMap((flavor, column) => (Object.keys(acts) as Act[]).flatMap((act) =>
    Array.from({ length: acts[act][column]! }, (_, step): Case => ({ flavor, act, step }))));
  const all = random.shuffle(steps.flatMap((one) => answers.map(([trouble, expected]) => ({ one, trouble, expected }))));
  const cases = all.slice(0, Math.max(8, Math.round(all.length * share)));
  const kills = Math.max(1, Math.round(wholeKills * share));
  await using world = await startMetricsWorld({ ownProcess: { of: ['metricsproxy'], because: 'killed' } });
  const wrong: string[] = [];

  // Together these take as long as half of the whole proof.
  const slow = share === 1 ? slowOnes(world) : [];
  let begun = 0;
  await Promise.all(Array.from({ length: lanesAtOnce }, async () => {
    for (let next = cases[begun++]; next !== undefined; next = cases[begun++]) {
      const { one, trouble, expected } = next;
      const problem = await troubled(world, one, trouble, expected).catch(String);
      if (problem !== undefined) wrong.push(`${one.flavor}, ${one.act}, request ${one.step + 1} with ${trouble}: ${problem}`);
      if (begun % 50 === 0) report(`${begun} of ${cases.length} faults, ${wrong.length} wrong`);
    }
  }));
  wrong.push(...await slow);
  for (let round = 1; round <= kills; round += 1) {
    wrong.push(...await killed(world, share === 1 ? steps : random.shuffle(steps).slice(0, 6)));
    report(`${round} of ${kills} kills, ${wrong.length} wrong`);
  }
  return {
    figure: `${cases.length} faults of dashboards, ${kills} kills, ${wrong.length} wrong`,
    holds: wrong.length === 0, counterexamples: wrong.slice(0, 20),
  };
}

/** Makes a call while the dashboard has trouble, then checks that a later call succeeds. @returns what was wrong */
async function troubled(world: MetricsWorld, one: Case, trouble: Trouble, expected: string): Promise<string | undefined> {
  const owner = await prepared(world, one);
  const { met, answer } = await (async () => {
    using ongoing = dashboardOf(world, one).trouble(trouble, { about: wordsOf(owner, one), after: one.step });
    return { answer: await send(owner, one), met: ongoing.met };
  })();
  if (met === 0 || answer !== expected) return `answered ${answer}, the dashboard met ${met}`;
  if (one.act === 'removal' && (await stateOf(world, owner, one)).tokens > 0) return 'its tokens are still good';
  await settled(world, owner, one, one.act === 'registration again' ? there : gone);
  const again = await send(owner, { ...one, act: 'first registration' });
  if (again !== '200') return `registered again: ${again}`;
  await settled(world, owner, one, there);
  return undefined;
}

/** Kills the service while each of the steps waits for the dashboard. @returns what was wrong */
async function killed(world: MetricsWorld, steps: readonly Case[]): Promise<string[]> {
  const owners = await Promise.all(steps.map(async (one) => ({ one, owner: await prepared(world, one) })));
  const begun = owners.map(({ one, owner }) => {
    const trouble = dashboardOf(world, one).trouble('hang', { about: wordsOf(owner, one), after: one.step });
    return { one, owner, trouble, call: send(owner, one).catch(() => 'cut') };
  });
  await until(() => begun.every(({ trouble }) => trouble.met > 0), { within: 30_000, what: 'all wait for the dashboards' });
  const [replica] = world.platform.services.metricsproxy.replicas;
  await replica.kill();
  for (const { trouble } of begun) trouble[Symbol.dispose]();
  await replica.restart();
  const wrong: string[] = [];
  for (const { one, owner, call } of begun) {
    const what = `${one.flavor}, ${one.act}, killed at request ${one.step + 1}`;
    const answer = await call;
    // A call that waits 10 s for the dashboard is answered before the kill. The gateway repeats a removal.
    if (!(one.act === 'removal' ? /^(?:200|50[34] |cut)/ : /^(?:50[34] |cut)/).test(answer)) wrong.push(`${what}: answered ${answer}`);
    await settled(world, owner, one, one.act === 'registration again' ? there : gone)
      .catch((error: unknown) => wrong.push(`${what}: ${String(error)}`));
  }
  return wrong;
}

/** A query whose body does not arrive gets 408 after 30 s; one with a silent backend gets 504 after 60 s. */
async function slowOnes(world: MetricsWorld): Promise<string[]> {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { boss, cluster, identity } = await world.owner();
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  await boss.http.post(register, { json: { backend: { url }, clusterUID: cluster.uid } });
  const [client] = world.queries;
  const head = `POST ${queryOf(identity)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${boss.token}\r\n`;
  const body = client.exchange(`${head}Content-Length: 9\r\n\r\nquery`, { within: 90_000 });
  const query = client.get(queryOf(identity), { ...bearer(boss.token), within: 120_000 });
  const seen = [outcome((await body)[0]!), outcome(await query)];
  silent.closeAllConnections();
  silent.close();
  const expected = ['408 request_timeout', '504 deadline_exceeded'];
  return String(seen) === String(expected) ? [] : [`slow ones: ${String(seen)}`];
}

/** An owner in the state that the action needs: for a first registration, nothing is registered. */
async function prepared(world: MetricsWorld, one: Case): Promise<ClusterOwner> {
  const owner = await world.owner();
  if (one.act !== 'first registration') {
    const answer = await send(owner, { ...one, act: 'first registration' });
    if (answer !== '200') throw new Error(`the registration before answered ${answer}`);
  }
  return owner;
}

const paths = { A: [register, unregister], B: [registerB, unregisterB] } as const;

function send({ boss, cluster }: ClusterOwner, { flavor, act }: Case): Promise<string> {
  const [put, remove] = paths[flavor];
  const json = { backend, clusterUID: cluster.uid };
  return boss.http.post(act === 'removal' ? remove : put, { json, within: 40_000 }).then(outcome);
}

const dashboardOf = ({ grafana, perses }: MetricsWorld, { flavor }: Case) => (flavor === 'A' ? grafana : perses);

/** The words in path or body of requests about an owner. */
function wordsOf({ organization: { id, username }, cluster, identity }: ClusterOwner, { flavor }: Case): string[] {
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 32);
  return flavor === 'A'
    ? [`"uid":"org-${id}"`, `/folders/org-${id} `, `/mp-${hash}`, cluster.uid]
    : [`"name":"${username}"`, `/projects/${username} `, `/projects/${username}/`, cluster.uid];
}

async function stateOf(world: MetricsWorld, { identity, cluster }: ClusterOwner, { flavor }: Case): Promise<State> {
  const [backends, tokens] = await Promise.all([
    world.rows.query(sql`select from backend where identity = ${identity}`),
    world.database.query(sql`select from access_token where scope = ${`metricsproxy/${identity}`}`),
  ]);
  const datasources = flavor === 'A'
    ? [...world.grafana.datasources.values()].filter(({ name: of }) => of === identity).length
    // Count a datasource and its secret as one.
    : [...world.perses.resources.keys()].filter((path) => path.includes(cluster.uid)).length / 2;
  return { datasources, backends: backends.length, tokens: tokens.length };
}

async function settled(world: MetricsWorld, owner: ClusterOwner, one: Case, expected: State): Promise<void> {
  let state: State | undefined;
  const isSettled = async () => {
    state = await stateOf(world, owner, one);
    return JSON.stringify(state) === JSON.stringify(expected);
  };
  await until(isSettled, { within: settledMs, what: 'it is settled' }).catch(() => {
    throw new Error(`not settled: ${JSON.stringify(state)}`);
  });
}
