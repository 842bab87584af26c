import { sql } from '@platform/postgres';
import { type ProofOptions, type ProofResult, testLab, until } from '@platform/testing';
import { outcome } from '../orgs/world.ts';
import { startHubWorld } from './hub-world.ts';

export const name = 'client-organization-creates';
export const describe = 'Of 200 creations of one client organization at the same time, on two replicas, one is done: one '
  + 'organization, one user, one work on its spoke.';
export const servers = true;

const wholeCreates = 200;

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  await using hub = await startHubWorld({ replicas: { clusters: 2 } });
  const { hub: { uid }, spokes: [spoke] } = await testLab();
  const { http } = hub.world.siteAdmin;
  const orgName = `${hub.prefix}-one`;
  const json = {
    clientOrg: { orgName }, hubClusterUID: uid, hubClusterOwnerName: hub.acme.organization.username,
    userPermission: {
      userName: `${orgName}-boss`, email: 'boss@example.org', importCluster: true,
      permissions: [{ name: spoke!.name, roleRefName: 'platform:viewer' }],
    },
  };
  const count = Math.max(4, Math.round(wholeCreates * share));
  const answers = await Promise.all(Array.from({ length: count }, () =>
    http.post('/api/v1/user/client/create', { json, within: 60_000 })));
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
  const clients = (await http.get('/api/v1/user/clients')).json<{ id: number; username: string }[]>();
  const own = clients.filter(({ username }) => username === orgName);
  if (own.length !== 1) counterexamples.push(`listed ${own.length} times`);
  const works = `/apis/work.open-cluster-management.io/v1/namespaces/${spoke!.name}/manifestworks`;
  await until(() => hub.find(`${works}/client-org-${own[0]!.id}`), { within: 60_000, what: 'the work is there' });
  await http.send('DELETE', `/api/v1/user/client/delete/${own[0]!.id}`, { within: 30_000 });
  const deleted = async () => {
    const answer = await http.get(`/api/v1/user/client/${orgName}/status`);
    return answer.json<{ status?: string }>().status === 'Deleted';
  };
  await until(deleted, { within: 90_000, what: 'the organization is deleted' });
  return {
    figure: `${count} creations at once: ${counted}`, holds: counterexamples.length === 0, counterexamples,
  };
}
