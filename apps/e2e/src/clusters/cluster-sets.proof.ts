import { type ProofOptions, type ProofResult, seeded } from '@platform/testing';
import { outcome } from '../orgs/world.ts';
import { type HubWorld, paths, startHubWorld } from './hub-world.ts';

export const name = 'cluster-sets';
export const describe = 'A cluster is added to two sets at once, in every third round while one of them is deleted, 1,000 '
  + 'times: it is always in exactly one set that the hub has.';
export const servers = true;

const wholeRounds = 1_000;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using hub = await startHubWorld();
  const random = seeded(seed);
  const [cluster] = await hub.spokes(1);
  const kept = await hub.set();
  const rounds = Math.max(3, Math.round(wholeRounds * share));
  const counterexamples: string[] = [];
  const ended = { one: 0, other: 0, default: 0 };
  for (let round = 0; round < rounds && counterexamples.length === 0; round += 1) {
    const fleeting = await hub.set();
    const deletes = round % 3 === 2;
    const [first, second] = random.integer(0, 1) === 0 ? [kept, fleeting] : [fleeting, kept];
    const add = (set: string) => hub.post('/clustersets/add', { clusterSet: set, clusters: [cluster] });
    const remove = () => hub.post('/clustersets/delete', { clusterSet: fleeting });
    const answers = await Promise.all([add(first), add(second), ...(deletes ? [remove()] : [])]);
    const problem = await problemOf(hub, cluster!, answers.map(outcome));
    if (problem !== undefined) counterexamples.push(`round ${round} of seed ${seed}: ${problem}`);
    const now = await hub.setOf(cluster!);
    ended[now === kept ? 'one' : now === fleeting ? 'other' : 'default'] += 1;
    await remove();
    if ((round + 1) % 50 === 0) report(`${round + 1} of ${rounds} rounds`);
  }
  return {
    figure: `${rounds} rounds: the cluster was in exactly one set after each (${JSON.stringify(ended)})`,
    holds: counterexamples.length === 0, counterexamples,
  };
}

/** Checks the state after the answers. Returns the fault, or undefined. */
async function problemOf(hub: HubWorld, cluster: string, outcomes: readonly string[]): Promise<string | undefined> {
  const acceptable = new Set(['200', '404 not_found', '409 conflict']);
  if (!outcomes.every((one) => acceptable.has(one))) return `answered ${outcomes.join(', ')}`;
  const label = await hub.setOf(cluster);
  if (label === undefined || (await hub.find(`${paths.sets}/${label}`)) === undefined) {
    return `the cluster is in ${label ?? 'no set'}, which the hub does not have`;
  }
  const listed = (await hub.get('/clustersets')).json<{ clusterSetName: string }[]>();
  const holding: string[] = [];
  for (const { clusterSetName: set } of listed.filter((one) => one.clusterSetName.startsWith(hub.prefix))) {
    const clusters = (await hub.get(`/clustersets/${set}/clusters`)).json<{ name: string }[]>();
    if (clusters.some((one) => one.name === cluster)) holding.push(set);
  }
  const expected = label === 'default' ? [] : [label];
  return holding.join() === expected.join() ? undefined : `its label says ${label}, and the lists ${holding.join() || 'none'}`;
}
