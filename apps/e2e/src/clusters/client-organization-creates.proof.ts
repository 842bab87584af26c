import { sql } from '@platform/postgres';
import { type ProofOptions, type ProofResult, until } from '@platform/testing';
import { outcome } from '../orgs/world.ts';
import { clientCalls } from './client-calls.ts';
import { paths, startHubWorld } from './hub-world.ts';

export const name = 'client-organization-creates';
export const describe = 'Of 200 creations of one client organization at the same time, on two replicas, one is done: one '
  + 'organization, one user, one work on its spoke.';
export const servers = true;

const wholeCreates = 200;

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  await using hub = await startHubWorld({ replicas: { clusters: 2 } });
  const { spokes: [spoke] } = hub.lab;
  const calls = clientCalls(() => hub, { change: 60_000, removal: 30_000, status: 90_000 });
  const orgName = `${hub.prefix}-one`;
  const count = Math.max(4, Math.round(wholeCreates * share));
  const json = calls.params(orgName, spoke!.name);
  const answers = await Promise.all(Array.from({ length: count }, () => calls.post('create', json)));
  const outcomes = Map.groupBy(answers.map(outcome), (one) => one);
  const counted = [...outcomes].map(([one, all]) => `${one}: ${all.length}`).join(', ');
  report(counted);
  const counterexamples: string[] = [];
  if (outcomes.get('200')?.length !== 1) counterexamples.push(`answered ${counted}`);
  // A hub with many concurrent callers may be too slow for some of them.
  const acceptable = new Set(['200', '409 already_exists', '503 unavailable', '504 deadline_exceeded']);
  if (![...outcomes.keys()].every((one) => acceptable.has(one))) counterexamples.push(`answered ${counted}`);
  const { accounts } = await hub.world.database.one(sql<{ accounts: number }>`
    select count(*) as "accounts" from account where name in (${orgName}, ${`${orgName}-boss`})`);
  if (accounts !== 2) counterexamples.push(`${accounts} accounts, not one organization and one user`);
  const listed = await hub.world.siteAdmin.http.get('/api/v1/user/clients');
  const own = listed.json<{ id: number; username: string }[]>().filter(({ username }) => username === orgName);
  if (own.length !== 1) counterexamples.push(`listed ${own.length} times`);
  const work = `${paths.works(spoke!.name)}/client-org-${own[0]!.id}`;
  await until(() => hub.find(work), { within: 60_000, what: 'the work is there' });
  await calls.remove(own[0]!.id);
  await calls.untilStatus(orgName, 'Deleted');
  return { figure: `${count} creations at once: ${counted}`, holds: counterexamples.length === 0, counterexamples };
}
