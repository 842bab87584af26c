import { randomBytes } from 'node:crypto';
import { sql } from '@platform/postgres';
import type { ProofOptions, ProofResult } from '@platform/testing';
import { claimsOf } from '../marketplace/marketplace-world.ts';
import { specCall } from '../operator.ts';
import { organizationHosts } from '../platform.ts';
import { outcome, startWorld, type World } from './world.ts';

export const name = 'claims';
export const describe = '1,000 standalone organizations, each claimed by 100 users at once over two replicas: exactly one '
  + 'succeeds each time, becomes the only owner, and the others are refused as too late.';
export const servers = true;

const [wholeClaims, callers] = [1_000, 100];

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startWorld({ hosts: organizationHosts, replicas: { 'orgs-teams': 2 } });
  return await proveIn(world, { share, report });
}

/** Runs the proof on a running platform. */
export async function proveIn(
  world: World, { share, report }: Pick<ProofOptions, 'share' | 'report'>,
): Promise<ProofResult> {
  const people = await Array.fromAsync({ length: callers }, () => world.person());
  const claims = await claimsOf(world.platform);
  const rounds = Math.max(1, Math.round(wholeClaims * share));
  const counterexamples: string[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const claimId = randomBytes(13).toString('hex').toUpperCase();
    const { organizationId } = await claims.putClaim(
      { claimId, username: `standalone-${claimId.slice(0, 12)}`, fullName: 'Stand Alone', claimable: true }, specCall(),
    );
    const outcomes = await Promise.all(people.map(async ({ http }) => outcome(await http.patch(`/api/v1/orgs/claim/${claimId}`))));
    const winner = people[outcomes.indexOf('200')];
    const owners = await world.database.query(sql<{ id: number }>`
      select user_id as id from team_member where organization_id = ${organizationId}`);
    const wrong = outcomes.filter((one, index) => one !== (people[index] === winner ? '200' : '409 already_claimed'));
    if (winner === undefined || wrong.length > 0) counterexamples.push(`claim ${round}: ${[...new Set(outcomes)].join(', ')}`);
    if (owners.length !== 1 || owners[0]!.id !== winner?.id) {
      counterexamples.push(`claim ${round}: owners ${owners.map(({ id }) => id).join()}, not ${winner?.id}`);
    }
    if (round % 100 === 0) report(`${round} of ${rounds} claims`);
  }
  return {
    figure: `${rounds - counterexamples.length} of ${rounds} claims by ${callers} users at once had exactly one winner`,
    holds: counterexamples.length === 0,
    counterexamples,
  };
}
