import { randomUUID } from 'node:crypto';
import { sql } from '@platform/postgres';
import { pause } from '@platform/service';
import { type ProofOptions, type ProofResult, seeded, type SeededRandom, until } from '@platform/testing';
import { type ContractWorld, day, inSeconds, ok, startContractWorld } from '../src/contracts/contract-world.ts';

export const name = 'contract-audit';
export const describe = 'A random walk of 5,000 changes of contracts and their clusters, with kill -9 of the service in '
  + 'the middle of every 25th: each change that was made has exactly one event, and nothing else has one.';
export const servers = true;

const wholeSteps = 5_000;
const killEvery = 25;
const contracts = 6;
const tags = ['a', 'b', 'c'];

/** The state of a contract, as far as its events must describe it. */
interface State {
  readonly id: number;
  /** All fields except the bindings. */
  readonly terms: string;
  readonly bindings: readonly { id: number; name: string; tags: string[] }[];
  readonly events: number;
}

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  await using world = await startContractWorld({ ownProcess: { of: ['contracts-licensing'], because: 'killed' } });
  const owner = await world.person();
  for (let index = 0; index < contracts; index += 1) await world.contract(owner.id);
  const clusters = Array.from({ length: 4 }, () => randomUUID());
  const steps = Math.max(60, Math.round(wholeSteps * share));
  const counterexamples: string[] = [];
  let changes = 0;
  let kills = 0;

  let before = await readStates(world);
  for (let step = 1; step <= steps; step += 1) {
    const change = choose(random, before, clusters);
    const isKilled = step % killEvery === 0;
    const sent = world.siteAdmin.http.send(change.verb, change.path, change.json === undefined ? {} : { json: change.json })
      .catch(() => undefined);
    if (isKilled) {
      kills += 1;
      await killAfter(world, random.integer(0, 25));
    }
    await sent;
    if (isKilled) await isBack(world);
    const after = await readStates(world);
    for (const state of after) {
      const earlier = before.find(({ id }) => id === state.id);
      const expected = earlier === undefined ? 1 : differences(earlier, state);
      const recorded = state.events - (earlier?.events ?? 0);
      changes += expected;
      if (recorded !== expected) {
        counterexamples.push(`step ${step}, ${change.verb} ${change.path}: ${expected} changes, ${recorded} events`);
      }
    }
    before = after;
    if (step % 500 === 0) report(`${step} of ${steps} steps, ${changes} changes, ${kills} kills`);
  }
  return {
    figure: `${steps} steps with ${kills} kills: ${changes} changes, ${counterexamples.length} without exactly one event`,
    holds: counterexamples.length === 0 && changes > steps / 10,
    counterexamples,
  };
}

interface Change {
  readonly verb: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly json?: unknown;
}

function choose(random: SeededRandom, states: readonly State[], clusters: readonly string[]): Change {
  const { id, bindings } = random.pick(states);
  const path = `/api/v1/contracts/${id}`;
  const end = inSeconds(day) + random.integer(0, 1) * day;
  const bound = bindings.length === 0 ? undefined : random.pick(bindings);
  const some = () => tags.filter(() => random.chance(0.5));
  const kind = random.integer(0, 9);
  if (kind <= 1) return { verb: 'PUT', path, json: { name: `name ${random.integer(0, 2)}`, allowOffline: random.chance(0.5) } };
  if (kind === 2) return { verb: 'POST', path: `${path}/extend`, json: { end: end - (end % day) } };
  if (kind === 3 && random.chance(0.05)) return { verb: 'POST', path: `${path}/revoke` };
  if (kind <= 5 || bound === undefined) {
    const cluster = random.shuffle(clusters).slice(0, random.integer(1, 2));
    return { verb: 'POST', path: `${path}/clusters`, json: cluster.map((one) => ({ cluster: one, tags: some() })) };
  }
  const binding = `${path}/clusters/${bound.id}`;
  if (kind === 6) return { verb: 'PATCH', path: `${binding}/name`, json: { clusterName: random.pick(tags) } };
  if (kind === 7) return { verb: 'PATCH', path: `${binding}/tags`, json: { tags: some() } };
  if (kind === 8) return { verb: 'DELETE', path: binding };
  return { verb: 'PUT', path: `${path}`, json: { quota: { limit: random.integer(0, 2) } } };
}

/** The number of events needed for the change from one state to the next. */
function differences(before: State, after: State): number {
  const removed = before.bindings.filter(({ id }) => !after.bindings.some((one) => one.id === id)).length;
  const changed = after.bindings.map((now) => {
    const was = before.bindings.find(({ id }) => id === now.id);
    if (was === undefined) return 1;
    return Number(was.name !== now.name) + Number(String(was.tags) !== String(now.tags));
  });
  return Number(before.terms !== after.terms) + removed + changed.reduce((sum, one) => sum + one, 0);
}

function readStates({ rows }: ContractWorld): Promise<State[]> {
  return rows.query(sql<State>`
    select contract.id, to_jsonb(contract)::text as "terms",
           (select coalesce(json_agg(json_build_object('id', id, 'name', display_name, 'tags', tags) order by id), '[]')
              from contract_cluster where contract_id = contract.id) as "bindings",
           (select count(*) from contract_event where contract_id = contract.id) as "events"
      from contract order by id`);
}

async function killAfter({ platform }: ContractWorld, milliseconds: number): Promise<void> {
  await pause(milliseconds);
  const [replica] = platform.services['contracts-licensing'].replicas;
  await replica.kill();
  await replica.restart();
}

/** The transaction of the killed process has ended, too. */
async function isBack(world: ContractWorld): Promise<void> {
  await until(async () => (await world.siteAdmin.http.get('/api/v1/contracts')).status === 200, {
    within: 60_000, what: 'contracts-licensing answers again',
  });
  await until(async () => {
    const { open } = await world.rows.one<{ open: number }>(sql`
      select count(*) as open from pg_stat_activity
       where datname = current_database() and application_name <> 'spec' and xact_start is not null`);
    return open === 0;
  }, { what: 'no transaction of the killed process is open' });
  ok(await world.siteAdmin.http.get('/api/v1/contracts'));
}
