import type { Account } from '@platform/rpc';
import type { Database } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { closedLoop, type ProofOptions, type ProofResult, seeded, type SeededRandom } from '@platform/testing';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import type { SpecEvent } from '../fixtures/events.ts';
import { applyContractClusters, applyContracts, applyLicences } from '../projections/apply-contracts.ts';
import { showClusterModes, showSummaries } from './object-lists.ts';
import { showMonth } from './month-view.ts';
import { clustersView, contractsView, groupKindsView, namespacesView, objectsView } from './usage-views.ts';
import { expectViews, hasEvent, type World } from '../fixtures/oracle.ts';
import type { WorldEvent } from '../fixtures/oracle-history.ts';
import { randomWorld } from '../fixtures/random-world.ts';

export const name = 'usage-exact';
export const describe =
  'In 1,000 generated worlds (20 clusters, 200 objects, contracts that start, end, are extended, revoked and rebound '
  + 'in the middle, trials, modes, month borders, reordered events, 20 % duplicates, events more than two days late) every number of every month view '
  + 'equals that of an oracle in rational arithmetic.';
export const servers = true;

const wholeWorlds = 1_000;
const size = { clusters: 20, objects: 200, contracts: 12 };
const atOnce = 500;
/** Number of worlds that are entered and compared at the same time. */
const lanes = 3;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using billing = await startBilling();
  const worlds = Math.max(1, Math.round(wholeWorlds * share));
  const counterexamples: string[] = [];
  const counted = { events: 0, numbers: 0 };
  let begun = 0;
  let done = 0;
  await closedLoop(lanes, () => begun < worlds && counterexamples.length < 10, async () => {
    const place = begun++;
    const random = seeded(`${seed} ${place}`);
    const now = Math.floor(Date.now() / 1000) * 1_000_000;
    const world = randomWorld(random, size, { ownerId: 1_000 + place, now, firstId: 1 + place * size.contracts });
    const messages = await enterWorld(billing, world, random);
    counted.events += messages;
    const differences = await compareWorld(billing.rows, world, now, counted);
    counterexamples.push(...differences.slice(0, 3).map((difference) => `seed ${seed}, world ${place}: ${difference}`));
    if (++done % 10 === 0) report(`${done} of ${worlds} worlds`);
  });
  return {
    figure: `${done} worlds, ${counted.events} messages, ${counted.numbers} numbers, `
      + `${counterexamples.length} differences`,
    holds: counterexamples.length === 0,
    counterexamples,
  };
}

interface Sent {
  readonly event: WorldEvent;
  readonly copy: WorldEvent['copies'][number];
}

/** Enters contracts and events of a world in parts, in random order. @returns how many messages were sent */
async function enterWorld({ rows, take, renewed }: Billing, world: World, random: SeededRandom): Promise<number> {
  // Contracts in their original form, before they were shortened and revoked.
  const contracts = world.contracts.map((contract) => ({ ...contract, revokedAt: null, end: contract.end + 1e12 }));
  await applyTerms(rows, { ...world, contracts });
  const messages = world.events.flatMap((event) =>
    [...event.copies, ...event.copies.filter(() => random.chance(0.2))].map((copy) => ({ event, copy })));
  const [before, late, after] = [-1, 0, 1].map((side) =>
    messages.filter(({ copy }) => Math.sign(copy.receivedAt - world.lateAt) === side)) as [Sent[], Sent[], Sent[]];
  const send = async (sent: readonly Sent[], most: number): Promise<void> => {
    for (let start = 0; start < sent.length; start += most) {
      for (const [cluster, own] of Map.groupBy(sent.slice(start, start + most), ({ event }) => event.cluster)) {
        await take(world.owner.id, cluster, 'productdb-enterprise', own.map(({ event, copy }) => (
          { event: toSpecEvent(event, copy.time), storedAt: new Date(copy.receivedAt / 1000) }
        )));
      }
    }
  };
  // Events in time may arrive in any order. Late changes are judged one by one, in order of arrival.
  await send(random.shuffle(before), atOnce);
  await send(late, 1);
  await send(random.shuffle(after), atOnce);
  await renewed();
  await applyTerms(rows, world);
  await renewed();
  return messages.length;
}

async function applyTerms(rows: Database, { owner, product, contracts, trials }: World): Promise<void> {
  const time = (microseconds: number) => new Date(microseconds / 1000).toISOString();
  const orNull = (microseconds: number | null) => (microseconds === null ? null : time(microseconds));
  await rows.transact(async (transaction) => {
    await applyContracts(transaction, contracts.map((contract) => ({ key: String(contract.id), value: {
      id: contract.id, ownerId: owner.id, name: contract.name, product, start: time(contract.start),
      end: time(contract.end), revokedAt: orNull(contract.revokedAt), deletedAt: null, enableClientBilling: false,
      quota: null,
    } })));
    await applyContractClusters(transaction, contracts.flatMap(({ id, bindings }) => bindings.map((bound, place) => ({
      key: String(id * 100 + place),
      value: { id: id * 100 + place, contractId: id, clusterUid: bound.cluster, removedAt: orNull(bound.removedAt) },
    }))));
    await applyLicences(transaction, trials.map(({ cluster, from, to }) => ({ key: `trial ${cluster}`, value: {
      id: `trial ${cluster}`, ownerId: owner.id, clusterUid: cluster, contractId: 0, plan: `${product}-enterprise`,
      features: [product], notBefore: time(from), notAfter: time(to), createdAt: time(from), registeredAt: null,
    } })));
  });
}

function toSpecEvent(event: WorldEvent, time: number): SpecEvent {
  const { uid, generation, action, mode, namespace, resourceTrial, kind } = event;
  const seconds = Math.floor(time / 1_000_000);
  const fraction = String(time - seconds * 1_000_000).padStart(6, '0');
  return {
    uid, generation, action, namespace, mode, resourceTrial,
    time: `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z`,
    cpu: event.cpu.text, memory: event.memory.text, spec: { apiType: { group: 'kubedb.com', kind } },
  };
}

async function compareWorld(
  rows: Database, world: World, now: number, counted: { numbers: number },
): Promise<string[]> {
  const account = { kind: 'organization', ...world.owner, named: true, standing: { administrative: false } } as Account;
  const date = new Date(now / 1000);
  const differences: string[] = [];
  for (const back of [2, 1, 0]) {
    const [from, to] = [back, back - 1].map((months) =>
      Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1) * 1000) as [number, number];
    if (!hasEvent(world, { from, to })) continue;
    const [year, month] = new Date(from / 1000).toISOString().split('-') as [string, string];
    const calling = () => ({ account, deadline: deadlineIn(30_000) });
    const views = {
      'objects-usage-view': objectsView, 'clusters-usage-view': clustersView('productdb'),
      'namespaces-usage-view': namespacesView, 'gks-usage-view': groupKindsView,
      'contracts-usage-view': contractsView('productdb'),
    };
    for (const [view, definition] of Object.entries(views)) {
      for (const viewType of ['total', 'billable'] as const) {
        const actual = whole(await showMonth(rows, definition, { year, month, viewType }, calling()));
        const expected = expectViews(world, { from, to }, generatedAt(actual))[view as keyof typeof views][viewType]();
        compareParts(expected, actual, `${year}-${month} ${view} ${viewType}`, differences, counted);
      }
    }
    for (const [view, show] of [
      ['objects-cluster-mode-usage-view', showClusterModes], ['object-quota-history-summaries-view', showSummaries],
    ] as const) {
      const actual = whole(await show(rows, { year, month }, calling()));
      const expected = expectViews(world, { from, to }, generatedAt(actual))[view]();
      compareParts(expected, actual, `${year}-${month} ${view}`, differences, counted);
    }
  }
  return differences;
}

/** The answer with all its rows, which are otherwise generated while they are sent. */
function whole(answer: object): object {
  const { rows } = answer as { rows: Iterable<string> };
  return { ...answer, rows: Array.from(rows, (row) => JSON.parse(row) as object) };
}

function generatedAt(answer: object): number {
  return Date.parse((answer as { generatedAt: string }).generatedAt) * 1000;
}

/** Notes differences from the expected values; additional fields are allowed, additional rows are not. */
function compareParts(
  expected: unknown, actual: unknown, path: string, differences: string[], counted: { numbers: number },
): void {
  if (typeof expected === 'object' && expected !== null) {
    if (Array.isArray(expected) && (actual as unknown[] | undefined)?.length !== expected.length) {
      differences.push(`${path}: ${(actual as unknown[] | undefined)?.length} items instead of ${expected.length}`);
      return;
    }
    for (const [key, part] of Object.entries(expected)) {
      const found = (actual as Record<string, unknown> | undefined)?.[key];
      compareParts(part, found, `${path}.${key}`, differences, counted);
    }
    return;
  }
  if (typeof expected === 'number') counted.numbers += 1;
  if (expected !== actual) differences.push(`${path}: ${String(actual)} instead of ${String(expected)}`);
}
