import { type ProofOptions, type ProofResult, seeded, type SeededRandom } from '@platform/testing';
import { organizationHosts } from '../platform.ts';
import { type Organization, outcome, type Person, startWorld, type World } from './world.ts';

export const name = 'last-owner';
export const describe = 'Two owners leave at once, each by another route: 1,000 times exactly one succeeds, '
  + 'and the other is refused as the last one.';
export const servers = true;

const wholeRounds = 1_000;

/** Every route by which owners leave Owners. */
const waysOut: readonly (readonly [verb: string, path: (person: Person, organization: Organization) => string])[] = [
  ['POST', ({ id }, { username }) => `/api/v1/orgs/${username}/members/action/leave?uid=${id}`],
  ['POST', ({ id }, { username }) => `/api/v1/orgs/${username}/members/action/remove?uid=${id}`],
  ['DELETE', ({ username: login }, { username }) => `/api/v1/orgs/${username}/members/${login}`],
  ['DELETE', ({ username: login }, { teams }) => `/api/v1/teams/${teams.Owners}/members/${login}`],
  ['POST', ({ id }, { username, teams }) => `/api/v1/orgs/${username}/teams/${teams.Owners}/action/leave?uid=${id}`],
  ['POST', ({ id }, { username, teams }) => `/api/v1/orgs/${username}/teams/${teams.Owners}/action/remove?uid=${id}`],
];

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startWorld({ hosts: organizationHosts });
  return await proveIn(world, { seed, share, report });
}

/** Runs the proof on a running platform. */
export async function proveIn(
  world: World, { seed, share, report }: Pick<ProofOptions, 'seed' | 'share' | 'report'>,
): Promise<ProofResult> {
  const random = seeded(seed);
  const pair: [Person, Person] = [await world.person(), await world.person()];
  const organization = await world.organization(pair[0]);
  await world.join(pair[0], organization.teams.Owners, pair[1]);
  const rounds = Math.max(1, Math.round(wholeRounds * share));
  const counterexamples: string[] = [];
  const left = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const leaver = await leaveAtOnce(organization, pair, random);
    if (typeof leaver === 'string') {
      counterexamples.push(`round ${round} of seed ${seed}: ${leaver}`);
      break;
    }
    left[leaver]! += 1;
    await world.join(pair[1 - leaver]!, organization.teams.Owners, pair[leaver]!);
    if ((round + 1) % 100 === 0) report(`${round + 1} of ${rounds} rounds`);
  }
  return {
    figure: `${left[0]! + left[1]!} of ${rounds} rounds in which exactly one of two owners left, ${left.join(' to ')}`,
    holds: counterexamples.length === 0,
    counterexamples,
  };
}

/** Which of the two owners left, or what happened instead. */
async function leaveAtOnce(
  organization: Organization, pair: readonly [Person, Person], random: SeededRandom,
): Promise<number | string> {
  const ways = pair.map(() => random.integer(0, waysOut.length - 1));
  const outcomes = await Promise.all(pair.map(async (person, index) => {
    const [verb, path] = waysOut[ways[index]!]!;
    return outcome(await person.http.send(verb, path(person, organization)));
  }));
  const leaver = outcomes.findIndex((one) => one === '200' || one === '204');
  const isOne = leaver !== -1 && outcomes[1 - leaver] === '403 last_owner';
  return isOne ? leaver : `by ways ${ways.join()}: ${outcomes.join(', ')}`;
}
