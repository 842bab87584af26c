import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectBus, eventSubject } from '@platform/bus';
import { type Database, sql } from '@platform/postgres';
import {
  outageOf, type OwnBus, ownPostgres, type ProofOptions, type ProofResult, repositoryRoot, seeded, type SeededRandom,
  until,
} from '@platform/testing';
import { ok } from '../contracts/contract-world.ts';
import type { Organization } from '../orgs/world.ts';
import { type AgentTask, eventsOfObject, expectedUse, type Used } from './counted-events.ts';
import { credentialsOf, isRenewed, startUsageWorld, usageHosts, type UsageWorld } from './usage-world.ts';

export const name = 'usage-nothing-lost';
export const describe =
  '1,000,000 events are published by four agents while agents, NATS, billing-dashboard and PostgreSQL are killed '
  + '(kill -9) 30 times: each event that the bus has acknowledged is counted once, and what views show equals the sums '
  + 'of an oracle.';
export const servers = true;

const [wholeEvents, wholeKills, agents] = [1_000_000, 30, 4];
const productName = 'productdb-enterprise';
const hourMs = 3_600_000;
/** The longest outage of a server. */
const mostOutageMs = 2_000;
/** The bus redelivers the batch of a killed process after 30 s (libs/bus/src/consume.ts). */
const progressMs = 900_000;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using postgres = await ownPostgres();
  await using world = await startUsageWorld({
    postgres, hosts: usageHosts, ownProcess: { of: ['billing-dashboard'], because: 'killed' },
  });
  const { billing: rows } = world;
  const organization = await world.organization(await world.person());
  const eventsOfAgent = Math.ceil(wholeEvents * share / agents / eventsOfObject) * eventsOfObject;
  const events = agents * eventsOfAgent;
  // All events are in one hour, so in one month, and all use has ended before the proof begins.
  const begin = Math.floor(Date.now() / hourMs - 3) * hourMs;
  const all: AgentProcess[] = [];
  await using running = new AsyncDisposableStack();
  for (let number = 0; number < agents; number += 1) {
    const task = { seed: `${seed} ${number}`, begin, events: eventsOfAgent };
    all.push(running.use(await startAgent(world, organization, task)));
  }

  const acknowledged = () => all.reduce((sum, { acknowledged: own }) => sum + own, 0);
  const [billing] = world.platform.services['billing-dashboard'].replicas;
  const bringDown = async (server: Pick<OwnBus, 'kill' | 'start'>, random: SeededRandom) => {
    await server.kill();
    await outageOf(random.integer(0, mostOutageMs));
    await server.start();
  };
  const kills: Readonly<Record<string, (random: SeededRandom) => Promise<void>>> = {
    agent: (random) => random.pick(all.filter(({ acknowledged: own }) => own < eventsOfAgent)).kill(),
    NATS: (random) => bringDown(world.bus, random),
    'billing-dashboard': async () => {
      await billing.kill();
      await billing.restart();
    },
    PostgreSQL: (random) => bringDown(postgres, random),
  };
  const killed = new Map(Object.keys(kills).map((target) => [target, 0]));
  /** Kills two targets in turn, each after some progress. */
  const killAlong = async (targets: readonly [string, string], progress: () => Promise<number>) => {
    const random = seeded(`${seed} ${targets.join()}`);
    const moments = Array.from({ length: Math.max(2, Math.round(wholeKills * share / 2)) }, () =>
      random.integer(1, Math.floor(events * 0.9))).toSorted((one, other) => one - other);
    for (const [index, moment] of moments.entries()) {
      await until(async () => (await progress()) >= moment, { within: progressMs, what: `event ${moment}` });
      const target = targets[index % 2]!;
      await kills[target]!(random);
      killed.set(target, killed.get(target)! + 1);
      report(`${target} was killed at event ${moment}, ${acknowledged()} are acknowledged`);
    }
  };
  await Promise.all([
    killAlong(['agent', 'NATS'], () => Promise.resolve(acknowledged())),
    killAlong(['billing-dashboard', 'PostgreSQL'], () => countEvents(rows)),
  ]);
  await until(() => acknowledged() === events, { within: progressMs, what: 'all events are acknowledged' });
  const wrongs: string[] = [];
  const isDone = async () => (await countEvents(rows)) >= events && await isRenewed(rows);
  await until(isDone, { within: progressMs, what: 'all events are counted' })
    .catch((error: unknown) => void wrongs.push(String(error)));
  wrongs.push(...await miscounted(rows, events), ...await compareViews(world, organization, all, begin));
  return {
    figure: `${events} events in ${await readMessages(world)} messages, kills: `
      + `${[...killed].map(([target, times]) => `${target} ${times}`).join(', ')}; ${wrongs.length} differences`,
    holds: wrongs.length === 0, counterexamples: wrongs.slice(0, 20).map((wrong) => `seed ${seed}: ${wrong}`),
  };
}

/** An agent that continues where it was when it was killed. */
interface AgentProcess extends AsyncDisposable {
  readonly clusterUid: string;
  readonly task: Omit<AgentTask, 'from'>;
  /** How many of its events the bus has acknowledged. */
  readonly acknowledged: number;
  kill(): Promise<void>;
}

async function startAgent(
  { bus, operator }: UsageWorld, { id: ownerId, username }: Organization,
  given: Pick<AgentTask, 'seed' | 'begin' | 'events'>,
): Promise<AgentProcess> {
  const clusterUid = randomUUID();
  const credentials = await credentialsOf(operator, username, clusterUid, productName);
  const subject = eventSubject({ ownerId, clusterUid, productName }, 1);
  const task = { ...given, url: bus.access.url, credentials, subject, productName };
  const isAcknowledged = new Uint8Array(given.events);
  let acknowledged = 0;
  const begin = (): ChildProcess => {
    // An unacknowledged event may or may not have been stored: it is sent again, together with some acknowledged ones.
    const from = isAcknowledged.indexOf(0);
    const child = spawn(process.execPath, [join(repositoryRoot, 'apps/e2e/src/usage/event-agent.ts')], {
      env: { PATH: process.env['PATH'], AGENT_TASK: JSON.stringify({ ...task, from: from < 0 ? given.events : from }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (isAcknowledged[Number(line)] !== 0) return;
      isAcknowledged[Number(line)] = 1;
      acknowledged += 1;
    });
    return child;
  };
  const end = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  };
  let current = begin();
  return {
    clusterUid, task,
    get acknowledged() {
      return acknowledged;
    },
    kill: async () => {
      await end(current);
      current = begin();
    },
    [Symbol.asyncDispose]: () => end(current),
  };
}

async function countEvents(rows: Database): Promise<number> {
  const { counted } = await rows.one(sql<{ counted: number }>`
    select coalesce(sum(versions), 0)::integer as "counted" from reported_object`);
  return counted;
}

/** Objects with a wrong number of versions, and parked events. */
async function miscounted(rows: Database, events: number): Promise<string[]> {
  const found = await rows.one(sql<{ versions: number; wrong: number; parked: number }>`
    select (select count(*)::integer from object_version) as "versions",
           (select count(*)::integer from reported_object where versions <> ${eventsOfObject}) as "wrong",
           (select count(*)::integer from parked_event) as "parked"`);
  const expected = { versions: events, wrong: 0, parked: 0 };
  return JSON.stringify(found) === JSON.stringify(expected) ? [] : [`rows: ${JSON.stringify(found)}`];
}

interface Row {
  readonly clusterUID: string;
  readonly namespace: string;
  readonly objects: number;
  readonly usage: { readonly cpu: number; readonly memory: number };
}

/** Differences between the view of namespaces and the sums of the events. */
async function compareViews(
  world: UsageWorld, { username }: Organization, all: readonly AgentProcess[], begin: number,
): Promise<string[]> {
  const month = new Date(begin).toISOString().slice(0, 7).replace('-', '/');
  const view = `/api/v1/dashboard/summary/${month}/usage-report/products/productdb/views/namespaces-usage-view`;
  const { rows } = ok<{ rows: readonly Row[] }>(await world.siteAdmin.http.get(`${view}?org=${username}`));
  const shown = new Map<string, string>(rows.map(({ clusterUID, namespace, objects, usage: { cpu, memory } }) =>
    [`${clusterUID} ${namespace}`, JSON.stringify({ cpu, memory, objects } satisfies Used)]));
  const expected = new Map<string, string>(all.flatMap(({ clusterUid, task }) => Object.entries(expectedUse(task)).map(
    ([namespace, used]) => [`${clusterUid} ${namespace}`, JSON.stringify(used)] as const,
  )));
  return [...new Set([...shown.keys(), ...expected.keys()])].filter((key) => shown.get(key) !== expected.get(key))
    .map((key) => `${key}: ${shown.get(key)} instead of ${expected.get(key)}`);
}

/** Number of messages that the stream has received. */
async function readMessages({ bus: { access } }: UsageWorld): Promise<number> {
  await using platform = await connectBus({ url: access.url, credentials: access.credentials }, 5_000);
  const { text } = await platform.request('$JS.API.STREAM.INFO.events-s0', '', 5_000);
  // The stream deletes processed events, so use its last sequence number.
  return (JSON.parse(text) as { state: { last_seq: number } }).state.last_seq;
}
