import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type BusConnection, connectBus, eventSubject } from '@platform/bus';
import { closedLoop, quantile } from '@platform/testing';
import pg from 'pg';
import { spread } from './compare.ts';
import { cpuOf } from './cpu.ts';
import type { BenchSize } from './hop.ts';
import { type Launched, launchPlatform, postgresUrl } from './launched.ts';
import { callerOf } from './site.ts';
import { copyRows } from './usage/copy-rows.ts';

const username = 'bench-owner';
const organization = 'bench-events';
const productName = 'productdb-enterprise';
const shards = 1;
/** Numbers for one round: all events, events of each object, objects. */
const eventsOfRound = 10_000;
const eventsOfObject = 5;
const objectsOfRound = eventsOfRound / eventsOfObject;
const minuteMs = 60_000;
const hourAgo = Date.now() - 60 * minuteMs;
/** Time for which an event proves that its object exists (open-points 7.3). */
const seenForMs = 120 * minuteMs;
/** Maximum number of concurrent requests to the bus. */
const senders = 256;
/**
 * The load while delays are measured: its share of the measured rate, its duration, and its number of objects.
 * `probeMs` is the pause between probes.
 */
const loadShare = 0.8;
const loadMs = 30_000;
const loadObjects = 2_000;
const probeMs = 250;
/** Pause between reads of the view. Reads take CPU time from events, so reads must be rare. */
const lookMs = 1_000;
/** `visibleMs` limits the 99th percentile of the delay. `copy` is the goal for the rate as a multiple of COPY. */
const limits = { visibleMs: 10_000, copy: 0.25 };
const waitMs = 120_000;

interface Member {
  readonly ownerId: number;
  readonly clusterUid: string;
  readonly subject: string;
  readonly bus: BusConnection;
}

/**
 * Measures how many events per second are counted, as a multiple of the rate of COPY for the resulting rows. A member
 * publishes over NATS. An event counts when versions and usage are stored. Then measures the CPU time of a change and
 * of a repeat. Last, measures the delay until a published event is visible in a view, at 80 % of the measured rate.
 */
export async function benchEvents({ rounds }: BenchSize): Promise<void> {
  // The shares of the bus must not limit a round.
  await using launched = await launchPlatform({
    PLATFORM_BUS_SHARES_EVENTS_PER_SECOND: '1000000', PLATFORM_BUS_SHARES_BYTES_PER_SECOND: '10000000000',
  });
  const { run, command } = launched;
  await command('admin', 'user', 'create', '--username', username, '--email', `${username}@example.org`);
  const { token } = await command<{ token: string }>('admin', 'token', 'create', '--user', username, '--name', 'bench');
  const call = callerOf(`${run.baseUrl}/api/v1`, token);
  await call('POST', '/orgs', { username: organization });
  const { id } = await call<{ id: number }>('GET', `/orgs/${organization}`);
  const rows = new pg.Client({ connectionString: postgresUrl(run, 'billing_dashboard') });
  await rows.connect();

  const rates: { events: number; copy: number }[] = [];
  for (let round = 0; round <= Math.min(rounds, 3); round += 1) {
    await using member = await newMember(launched, id);
    const events = eventsOfRound / (await publishAndCount(member, rows, changes())) * 1_000;
    const copy = eventsOfRound / (await copyRows(rows, member.clusterUid)) * 1_000;
    if (round > 0) rates.push({ events, copy });
    const name = round === 0 ? 'warm-up' : `round ${round}`;
    console.log(`${name}: ${events.toFixed(0)} events/s, ${copy.toFixed(0)} with COPY`);
  }
  const ratio = spread(rates.map(({ events, copy }) => events / copy));
  const range = `${ratio.median.toFixed(3)} (${ratio.low.toFixed(3)}–${ratio.high.toFixed(3)})`;
  console.log(`\nrate in multiples of COPY: ${range}, goal ≥ ${limits.copy}`);

  await using changing = await newMember(launched, id);
  for (const [name, texts] of [['a change', changes()], ['a repeat', repeats()]] as const) {
    const before = cpuOf(launched.processes());
    await publishAndCount(changing, rows, texts);
    const after = cpuOf(launched.processes());
    const costs = ['billing-dashboard', 'postgres', 'nats-server'].map((kind) =>
      `${kind} ${((after.byKind.get(kind)! - before.byKind.get(kind)!) / texts.length).toFixed(2)}`);
    console.log(`CPU of ${name} of ${Buffer.byteLength(texts[0]!)} bytes, ms: ${costs.join(', ')}`);
  }

  await rows.end();
  const perSecond = spread(rates.map(({ events }) => events)).median * loadShare;
  await using loading = await newMember(launched, id);
  await using probing = await newMember(launched, id);
  // The owner of the organization may not read views of usage.
  const callAsAdmin = callerOf(`${run.baseUrl}/api/v1`, run.admin.token);
  const delays = await measureDelays(loading, probing, perSecond, async () => {
    const month = new Date().toISOString().slice(0, 7).replace('-', '/');
    const view = `/dashboard/summary/${month}/usage-report/products/productdb/views/objects-usage-view`;
    const shown = await callAsAdmin<{ rows: { objectID: string }[] }>(
      'GET', `${view}?org=${organization}&clusterUID=${probing.clusterUid}`,
    );
    return shown.rows.map(({ objectID }) => objectID);
  });
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(delays, share));
  console.log(`delay until visible, ${delays.length} probes: p50 ${p50!.toFixed(0)} ms, `
    + `p99 ${p99!.toFixed(0)} ms, slowest ${delays.at(-1)!.toFixed(0)} ms, `
    + `p99 at most ${limits.visibleMs} ms: ${p99! <= limits.visibleMs ? 'holds' : 'DOES NOT HOLD'}`);
}

async function newMember({ run, command }: Launched, ownerId: number): Promise<Member & AsyncDisposable> {
  const clusterUid = randomUUID();
  const { creds } = await command<{ creds: string }>(
    'admin', 'bus-account', 'create', '--org', organization, '--cluster-uid', clusterUid, '--product', productName,
  );
  const bus = await connectBus({ url: run.nats, credentials: creds }, 10_000);
  return {
    ownerId, clusterUid, bus, subject: eventSubject({ ownerId, clusterUid, productName }, shards),
    [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose](),
  };
}

/** Returns events that create each object and then change each object several times. The objects take turns. */
function changes(): string[] {
  return Array.from({ length: eventsOfRound }, (_, place) => {
    const generation = Math.floor(place / objectsOfRound);
    return eventAt(place % objectsOfRound, generation, generation);
  });
}

/** Returns the last event of each object several times, with later times. */
function repeats(): string[] {
  return Array.from({ length: eventsOfRound }, (_, place) =>
    eventAt(place % objectsOfRound, eventsOfObject - 1, eventsOfObject + Math.floor(place / objectsOfRound)));
}

function eventAt(object: number, generation: number, minute: number): string {
  return eventText(`object-${object}`, generation, new Date(hourAgo + minute * minuteMs));
}

/** Publishes events of a member. @returns ms from the first publish until all events are counted */
async function publishAndCount(member: Member, rows: pg.Client, texts: readonly string[]): Promise<number> {
  const begun = performance.now();
  let sent = 0;
  await closedLoop(senders, () => sent < texts.length, () => send(member, texts[sent++]!));
  const last = JSON.parse(texts.at(-1)!) as { subject: string; time: string };
  for (const giveUp = AbortSignal.timeout(waitMs); ; await pause(50)) {
    giveUp.throwIfAborted();
    const { rows: [state] } = await rows.query<{ counted: boolean }>(`
      with own as (select id, versions, subject from reported_object where (owner_id, cluster_uid) = ($4, $1))
      select (select coalesce(sum(versions), 0) from own) = ${eventsOfRound}
             and not exists (
               select from metered_object where (owner_id, cluster_uid) = ($4, $1) and due_from is not null
             )
             and (
               select max(upper(seen)) from object_version version join own on own.id = object_id where own.subject = $2
             ) >= $3 as counted`,
    [member.clusterUid, last.subject, new Date(Date.parse(last.time) + seenForMs), member.ownerId]);
    if (state!.counted) return performance.now() - begun;
  }
}

/** Publishes at a rate, and measures how long single events take to appear in a view. @returns ms, ascending */
async function measureDelays(
  loading: Member, probing: Member, perSecond: number, shown: () => Promise<readonly string[]>,
): Promise<number[]> {
  const published = new Map<string, number>();
  const delays: number[] = [];
  const begun = performance.now();
  const isLoading = () => performance.now() - begun < loadMs;
  let sent = 0;
  const load = closedLoop(senders, isLoading, async () => {
    const number = sent++;
    const wait = number / perSecond * 1_000 - (performance.now() - begun);
    if (wait > 0) await pause(wait);
    const [object, generation] = [number % loadObjects, Math.floor(number / loadObjects)];
    await send(loading, eventText(`object-${object}`, generation, new Date(Date.now() - 60_000)));
  });
  const probe = (async () => {
    for (let number = 0; isLoading(); number += 1, await pause(probeMs)) {
      const uid = `probe-${number}`;
      published.set(uid, performance.now());
      await send(probing, eventText(uid, 0, new Date(Date.now() - 60_000)));
    }
  })();
  const look = (async () => {
    for (const giveUp = AbortSignal.timeout(loadMs + waitMs); isLoading() || published.size > 0; await pause(lookMs)) {
      giveUp.throwIfAborted();
      for (const uid of await shown().catch(noneYet)) {
        const at = published.get(uid);
        if (at === undefined) continue;
        delays.push(performance.now() - at);
        published.delete(uid);
      }
    }
  })();
  await Promise.all([load, probe, look]);
  console.log(`${(sent / loadMs * 1_000).toFixed(0)} events/s were published for ${loadMs / 1_000} s`);
  return delays.sort((one, other) => one - other);
}

/** Returns no objects for status 404: a month does not exist before its first event. Rethrows any other error. */
function noneYet(error: Error): readonly string[] {
  if (!error.message.includes(' answered 404: ')) throw error;
  return [];
}

/** Publishes an event. @throws Error if the bus does not confirm that the event is stored */
async function send({ bus, subject }: Member, text: string): Promise<void> {
  const reply = await bus.request(subject, text, 30_000);
  if (!reply.text.includes('"seq"')) throw new Error(`the bus did not store the event: ${reply.text}`);
}

/** An event as member agents send it (open-points 13.2): a database of three pods, each with a volume. */
function eventText(uid: string, generation: number, time: Date): string {
  const createdAt = new Date(hourAgo).toISOString();
  const limits = { cpu: `${500 + generation}m`, memory: '1Gi' };
  const replicas = [0, 1, 2];
  const resourceID = {
    group: 'core.k8s.platform.dev', version: 'v1alpha1', name: 'genericresources', kind: 'GenericResource',
    scope: 'Namespaced',
  };
  return JSON.stringify({
    specversion: '1.0', id: `${uid}.${generation}`, subject: uid, time: time.toISOString(),
    source: `/platform.dev/auditor/bench/feature/${productName}/${resourceID.group}/${resourceID.name}`,
    type: `dev.platform.resource.${generation === 0 ? 'created' : 'updated'}.v1`,
    data: {
      licenseID: 'bench', resourceID,
      resource: {
        apiVersion: 'core.k8s.platform.dev/v1alpha1', kind: 'GenericResource',
        metadata: {
          name: uid, namespace: 'demo', uid, generation, creationTimestamp: createdAt,
          labels: { 'app.kubernetes.io/instance': uid, 'app.kubernetes.io/managed-by': 'kubedb.com' },
        },
        spec: {
          apiType: { group: 'kubedb.com', version: 'v1', name: 'postgreses', kind: 'Postgres', scope: 'Namespaced' },
          name: uid, uid, replicas: replicas.length, mode: 'prod',
          namespace: { name: 'demo', uid: 'demo', creationTimestamp: createdAt },
          totalResource: { limits: { ...limits, storage: '30Gi' }, requests: { ...limits, storage: '30Gi' } },
          pods: replicas.map((replica) => ({
            uid: `${uid}-pod-${replica}`, name: `${uid}-${replica}`, creationTimestamp: createdAt,
            containers: ['database', 'exporter'].map((name) => ({ name, resource: { limits, requests: limits } })),
          })),
          storage: replicas.map((replica) => ({
            uid: `${uid}-volume-${replica}`, name: `data-${uid}-${replica}`, creationTimestamp: createdAt,
            resources: { requests: { storage: '10Gi' } },
          })),
        },
      },
    },
  });
}
