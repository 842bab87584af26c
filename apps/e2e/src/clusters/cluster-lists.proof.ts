import { performance } from 'node:perf_hooks';
import type { ProofOptions, ProofResult } from '@platform/testing';
import { type HubWorld, paths, startHubWorld } from './hub-world.ts';

export const name = 'cluster-lists';
export const describe = 'With 1,000 managed clusters and 200 sets each list of a hub is complete, and its slowest of 100 answers '
  + 'takes at most 1.5 s.';
export const servers = true;

const whole = { spokes: 1_000, sets: 200, calls: 100 };
const mostMs = 1_500;

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  await using hub = await startHubWorld();
  const part = (count: number) => Math.max(4, Math.round(count * share));
  const sets: string[] = [];
  for (let made = 0; made < part(whole.sets); made += 1) sets.push(await hub.set());
  const spokes = await hub.spokes(part(whole.spokes));
  report(`${spokes.length} clusters and ${sets.length} sets`);
  const inFirst = spokes.slice(0, Math.ceil(spokes.length / 2));
  await hub.post('/clustersets/add', { clusterSet: sets[0], clusters: inFirst });
  const lists: [string, (items: unknown[]) => boolean][] = [
    ['/clustersets', (items) => sets.every((set) => hasCount(items, set, set === sets[0] ? inFirst.length : 0))],
    ['/available-clusters', (items) => includes(items, spokes)],
    ['/available-clustersets', (items) => sets.every((set) => items.includes(set))],
    [`/clustersets/${sets[0]}/clusters`, (items) => items.length === inFirst.length && includes(items, inFirst)],
    [`/clustersets/${sets[0]}/clusterlist`, (items) => spokes.slice(inFirst.length).every((one) => items.includes(one))],
  ];
  const counterexamples: string[] = [];
  const figures: string[] = [];
  for (const [path, isWhole] of lists) {
    const slowest = await slowestOf(part(whole.calls), () => readAll(hub, path), isWhole);
    if (slowest === undefined) counterexamples.push(`${path} is not complete`);
    else if (slowest > mostMs) counterexamples.push(`${path} took ${Math.round(slowest)} ms`);
    figures.push(`${path.split('/').at(-1)} ${Math.round(slowest ?? 0)} ms`);
  }
  const direct = await slowestOf(part(whole.calls), async () => {
    const { items } = await hub.api.call('GET', `${paths.clusters}?limit=500`) as { items: unknown[] };
    return items;
  }, () => true);
  return {
    figure: `slowest answers with ${spokes.length} clusters and ${sets.length} sets: ${figures.join(', ')}; `
      + `500 clusters from the hub itself ${Math.round(direct ?? 0)} ms`,
    holds: counterexamples.length === 0, counterexamples,
  };
}

/** The longest time in milliseconds; undefined when an answer is incomplete. */
async function slowestOf(
  calls: number, read: () => Promise<unknown[]>, isWhole: (items: unknown[]) => boolean,
): Promise<number | undefined> {
  let slowest = 0;
  for (let call = 0; call < calls; call += 1) {
    const begun = performance.now();
    const items = await read();
    slowest = Math.max(slowest, performance.now() - begun);
    if (!isWhole(items)) return undefined;
  }
  return slowest;
}

/** A list with all its parts. The time of one part is bounded; lists of more than 1,000 items have several parts. */
async function readAll(hub: HubWorld, path: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer = await hub.get(next);
    all.push(...answer.json<unknown[]>());
    const link = /<([^>]+)>; rel="next"/.exec(answer.header('link') ?? '')?.[1];
    next = link?.slice(link.indexOf(path));
  }
  return all;
}

function includes(items: readonly unknown[], names: readonly string[]): boolean {
  const listed = new Set((items as { name: string }[]).map((item) => item.name));
  return names.every((one) => listed.has(one));
}

function hasCount(items: readonly unknown[], set: string, clusters: number): boolean {
  type Listed = { clusterSetName: string; clusters: number };
  return (items as Listed[]).some((item) => item.clusterSetName === set && item.clusters === clusters);
}
