import { isArrayAnswer } from '@platform/openapi';
import { api, type HttpClient, type ProofOptions, type ProofResult, seeded, type SeededRandom } from '@platform/testing';
import { ownHub } from '../src/clusters/own-hub.ts';
import { changingClusterLists } from '../src/lists/changing-cluster-lists.ts';
import { changingContractLists } from '../src/lists/changing-contract-lists.ts';
import { changingDashboardLists } from '../src/lists/changing-dashboard-lists.ts';
import { changingHubLists, mostHubRows } from '../src/lists/changing-hub-lists.ts';
import { type ChangingList, changingLists } from '../src/lists/changing-lists.ts';
import { changingWebhooks } from '../src/lists/changing-webhooks.ts';
import { startWorld } from '../src/orgs/world.ts';

export const name = 'pages';
export const describe = 'Every list at 10,000 rows (those of a hub at 1,000), read by following Link while rows come and go all over it: none that '
  + 'was there throughout is lost, none is met twice.';
export const servers = true;

const wholeRows = 10_000;
/** The most rows added, and the most rows removed, during each page. */
const mostChanges = 40;
/** Rows inserted by one statement before the first page. */
const mostAtOnce = 500;
/** The part of the lists that a share tries, chosen by the seed: each list is tried every few days. */
const drawnPart = 1 / 3;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const all = (await api()).surface.methods.filter((method) => method.http && isArrayAnswer(method));
  const lists = share === 1 ? all : seeded(seed).shuffle(all).slice(0, Math.ceil(drawnPart * all.length));
  await using world = await startWorld();
  await using hub = await ownHub();
  const ofHub = changingHubLists(hub);
  const makers = {
    ...changingLists, ...changingWebhooks, ...changingClusterLists, ...changingContractLists, ...changingDashboardLists, ...ofHub,
  };
  const size = share === 1 ? 50 : 10;
  const missing = all.filter(({ fullName }) => makers[fullName] === undefined);
  if (missing.length > 0) throw new Error(`say in src/lists how the rows of ${missing[0]!.fullName} come and go`);
  const wrong: string[] = [];
  const totals = { pages: 0, changes: 0 };
  for (const { fullName, input } of lists) {
    const make = makers[fullName]!;
    const [whole, least] = fullName in ofHub ? [mostHubRows, 20] : [wholeRows, 60];
    const rows = Math.max(least, Math.round(whole * share));
    const list = await make(world, 2 * rows);
    const sizeName = input.fields.some(({ name: field }) => field === 'per_page') ? 'per_page' : 'limit';
    const random = seeded(`${seed} ${fullName}`);
    const walk = await walkWhileChanging(world.siteAdmin.http, list, { rows, size, sizeName, random });
    totals.pages += walk.pages;
    totals.changes += walk.changes;
    if (walk.lost.length > 0) wrong.push(`${fullName} lost ${walk.lost.slice(0, 10).join(', ')}`);
    if (walk.doubled.length > 0) wrong.push(`${fullName} showed twice ${walk.doubled.slice(0, 10).join(', ')}`);
    report(`${fullName}: ${rows} rows, ${walk.pages} pages, ${walk.changes} rows changed, ${walk.kept} there throughout`);
  }
  return {
    figure: `${lists.length} lists, ${totals.pages} pages, ${totals.changes} rows came or went meanwhile`,
    holds: wrong.length === 0,
    counterexamples: wrong,
  };
}

interface Walk {
  readonly pages: number;
  readonly changes: number;
  /** Number of rows that existed during the whole walk. */
  readonly kept: number;
  readonly lost: readonly (number | string)[];
  readonly doubled: readonly (number | string)[];
}

/** Begins with every second candidate in the list; candidates are added and removed before each page. */
async function walkWhileChanging(
  client: HttpClient,
  { address, key, keyOf, put, take }: ChangingList,
  { rows, size, sizeName, random }: {
    readonly rows: number; readonly size: number; readonly sizeName: string; readonly random: SeededRandom;
  },
): Promise<Walk> {
  const inside = new Set(Array.from({ length: rows }, (_, index) => 2 * index));
  // Insert in parts, each within the time limit of a statement.
  for (let first = 0; first < rows; first += mostAtOnce) await put([...inside].slice(first, first + mostAtOnce));
  const throughout = new Set(inside);
  const seen = new Map<number | string, number>();
  let [pages, changes] = [0, 0];
  let next: string | undefined = `${address}${address.includes('?') ? '&' : '?'}${sizeName}=${size}`;
  while (next !== undefined) {
    const asked = new Set(Array.from({ length: random.integer(0, mostChanges) }, () => random.integer(0, 2 * rows - 1)));
    const goes = [...asked].filter((candidate) => inside.has(candidate));
    const comes = [...asked].filter((candidate) => !inside.has(candidate));
    const [answer] = await Promise.all([client.get(next), put(comes), take(goes)]);
    if (answer.status !== 200) throw new Error(`${next}: ${answer.status} ${answer.text}`);
    for (const one of comes) inside.add(one);
    for (const one of goes) {
      inside.delete(one);
      throughout.delete(one);
    }
    pages += 1;
    changes += asked.size;
    for (const item of answer.json<never[]>()) seen.set(keyOf(item), (seen.get(keyOf(item)) ?? 0) + 1);
    next = nextOf(answer.header('link'));
  }
  return {
    pages,
    changes,
    kept: throughout.size,
    lost: [...throughout].map(key).filter((one) => !seen.has(one)),
    doubled: [...seen].filter(([, times]) => times > 1).map(([one]) => one),
  };
}

/** Path and query of `rel="next"`, as a client of RFC 8288 parses it. */
function nextOf(link: string | undefined): string | undefined {
  const [, found] = /<([^>]+)>; rel="next"/.exec(link ?? '') ?? [];
  if (found === undefined) return undefined;
  const { pathname, search } = new URL(found);
  return pathname + search;
}
