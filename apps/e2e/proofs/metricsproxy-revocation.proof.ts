import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ProofOptions, type ProofResult, seeded, testBus } from '@platform/testing';
import {
  bearer, type ClusterOwner, type MetricsWorld, ok, queryOf, register, startMetricsWorld, unregister,
} from '../src/metricsproxy/metrics-world.ts';
import { outcome } from '../src/orgs/world.ts';

export const name = 'metricsproxy-revocation';
export const describe = 'A query of metrics is admitted, the right is taken away, and the very next queries over other '
  + 'replicas are refused: 2,000 rounds of unregister, revoked and replaced tokens, lost memberships, removed and moved '
  + 'clusters.';
export const servers = true;

const wholeRounds = 2_000;
const lanesAtOnce = 4;

/** Ways to revoke a right, and the expected refusals. */
const ways = {
  'backend unregistered': ['401 unauthenticated'],
  'backend unregistered for a member': ['404 not_found'],
  'token replaced': ['401 unauthenticated'],
  'token revoked': ['401 unauthenticated'],
  'membership ended': ['401 not_org_member'],
  // The tokens of the cluster are deleted a moment later.
  'cluster removed': ['404 not_found', '401 unauthenticated'],
  'cluster moved': ['404 not_found', '401 unauthenticated', '401 not_org_member'],
} as const;
type Way = keyof typeof ways;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const rounds = Math.max(10, Math.round(wholeRounds * share));
  const backend = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(backend, 'listening');
  const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
  // With a bus, services keep callers, clusters and backends under leases.
  const { settings } = await testBus();
  await using world = await startMetricsWorld({ replicas: { metricsproxy: 2, 'orgs-teams': 2, gateway: 2 }, settings });
  const wrong: string[] = [];
  let begun = 0;
  const lane = async (): Promise<void> => {
    const owner = await world.owner();
    while (begun < rounds) {
      begun += 1;
      const way = random.pick(Object.keys(ways) as Way[]);
      wrong.push(...(await round(world, owner, url, way)).map((problem) => `${way}: ${problem}`));
      if (begun % 200 === 0) report(`${begun} of ${rounds}, ${wrong.length} wrong`);
    }
  };
  await Promise.all(Array.from({ length: lanesAtOnce }, lane));
  backend.closeAllConnections();
  backend.close();
  return {
    figure: `${begun} rounds in ${Object.keys(ways).length} ways, ${wrong.length} wrong`,
    holds: wrong.length === 0 && begun >= rounds, counterexamples: wrong.slice(0, 20),
  };
}

/** @returns what was wrong */
async function round(world: MetricsWorld, owner: ClusterOwner, url: string, way: Way): Promise<string[]> {
  const { boss, organization } = owner;
  const cluster = way.startsWith('cluster') ? await world.cluster(organization.id) : owner.cluster;
  const identity = `${organization.id}.${cluster.uid}`;
  const json = { backend: { url }, clusterUID: cluster.uid, issueToken: true };
  const issue = async () =>
    ok<{ flavora: { bearerToken: string } }>(await boss.http.post(register, { json })).flavora.bearerToken;
  const issued = await issue();
  const isOfMember = way === 'membership ended' || way === 'token revoked' || way === 'backend unregistered for a member';
  const member = isOfMember ? await world.person() : undefined;
  if (member !== undefined) await world.join(boss, organization.teams.Viewers, member);
  const token = member?.token ?? issued;
  // Ask twice through each gateway, so that each replica of metricsproxy has answered before.
  const query = async () => Promise.all([...world.queries, ...world.queries].map(async (client) =>
    outcome(await client.get(queryOf(identity), bearer(token)))));
  const before = (await query()).filter((answer) => answer !== '200').map((answer) => `was ${answer} before`);
  switch (way) {
    case 'backend unregistered':
    case 'backend unregistered for a member':
      await boss.http.post(unregister, { json: { clusterUID: cluster.uid } });
      break;
    case 'token replaced':
      await issue();
      break;
    case 'token revoked':
      await world.revokeTokens(member!.id);
      break;
    case 'membership ended':
      await boss.http.delete(`/api/v1/teams/${organization.teams.Viewers}/members/${member!.username}`);
      break;
    case 'cluster removed':
      await world.removeCluster(cluster);
      break;
    case 'cluster moved':
      await world.moveCluster(cluster, (await world.organization(boss)).id);
  }
  const expected: readonly string[] = ways[way];
  const after = (await query()).filter((answer) => !expected.includes(answer)).map((answer) => `was ${answer} after`);
  return [...before, ...after];
}
