import { type ProofOptions, type ProofResult, seeded } from '@platform/testing';
import { outcome, startWorld } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';

export const name = 'if-match';
export const describe = 'Two writers read a number in the description of an organization, a team and a role, and write the next '
  + 'one with If-Match, 10,000 times: the written numbers are exactly those answered with success, none twice.';
export const servers = true;

const wholeRounds = 10_000;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startWorld({
    hosts: organizationHosts, replicas: { 'orgs-teams': 2 },
  });
  const random = seeded(seed);
  const writers = [await world.person(), await world.person()] as const;
  const [owner] = writers;
  const organization = await world.organization(owner);
  await world.join(owner, organization.teams.Owners, writers[1]);
  const make = async (path: string, json: Record<string, unknown>) => {
    const answer = await owner.http.post(path, { json });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json<{ id: number }>().id;
  };
  const org = organization.username;
  const team = await make(`/api/v1/orgs/${org}/teams`, { name: 'Counted', type: 'kubernetes', permission: 'read' });
  const role = await make(`/api/v1/authz/roles?org=${org}`, { name: 'counted', permissions: [{ namespace: 'team_mgmt', action: 'view teams' }] });
  const objects = [
    { verb: 'PATCH', path: `/api/v1/orgs/${org}`, given: {} },
    { verb: 'PATCH', path: `/api/v1/teams/${team}`, given: { name: 'Counted' } },
    { verb: 'PUT', path: `/api/v1/authz/roles/${role}?org=${org}`, given: {} },
  ] as const;
  const written = objects.map(() => 0);
  const counterexamples: string[] = [];
  const rounds = Math.max(10, Math.round(wholeRounds * share));
  let refused = 0;

  for (let round = 0; round < rounds && counterexamples.length < 5; round += 1) {
    const which = random.integer(0, objects.length - 1);
    const { verb, path, given } = objects[which]!;
    const outcomes = await Promise.all(writers.map(async ({ http }) => {
      const read = await http.get(path);
      const next = Number(read.json<{ description: string }>().description || '0') + 1;
      const json = { ...given, description: String(next) };
      return outcome(await http.send(verb, path, { json, headers: { 'if-match': read.header('etag') ?? '"none"' } }));
    }));
    for (const one of outcomes) {
      if (one === '200') written[which]! += 1;
      else if (one === '412 precondition_failed') refused += 1;
      // The engine may still be processing the previous change.
      else if (one !== '409 conflict') counterexamples.push(`round ${round} of seed ${seed}: ${one}`);
    }
    const { description } = (await owner.http.get(path)).json<{ description: string }>();
    if (description !== String(written[which] || '')) {
      counterexamples.push(`round ${round} of seed ${seed}, ${path}: ${written[which]} were written, it says ${description}`);
    }
    if ((round + 1) % 500 === 0) report(`${round + 1} of ${rounds} rounds`);
  }
  const made = written.reduce((sum, count) => sum + count, 0);
  return {
    figure: `${rounds} rounds of two writers: ${made} updates written, ${refused} refused, ${counterexamples.length} lost`,
    holds: counterexamples.length === 0 && made > 0,
    counterexamples,
  };
}
