import { type ProofOptions, type ProofResult, seeded } from '@platform/testing';
import { startLicenceWorld } from './licence-world.ts';

export const name = 'issue-quota';
export const describe =
  '50 clusters ask two replicas for licences at the same time, under a quota of clusters: never more get one than the '
  + 'quota allows, and never fewer, 1,000 times.';
export const servers = true;

const wholeRounds = 1_000;
const parallel = 50;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const rounds = Math.max(1, Math.round(wholeRounds * share));
  const { world, repeats, issue, contractWith } = await startLicenceWorld();
  await using _world = world;
  const counterexamples: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const distinct = random.integer(1, parallel);
    const limit = random.integer(1, parallel);
    const quota = { enabled: true, metric: 'clusters', limit, disableLicenseOnLimitReached: true };
    const { id, clusters } = await contractWith(distinct, { quota });
    const asking = Array.from({ length: parallel }, (_, index) => clusters[index % distinct]!);
    const answers = await Promise.all(asking.map(async (cluster) => ({ cluster, status: (await issue(cluster)).status })));
    const licensed = new Set(answers.filter(({ status }) => status === 200).map(({ cluster }) => cluster));
    const others = answers.filter(({ status }) => status !== 200 && status !== 403);
    const wrong = answers.filter(({ cluster, status }) => licensed.has(cluster) && status === 403);
    const events = (await world.events(id)).filter((event) => event.endsWith('quota.limit_reached'));
    if (licensed.size !== Math.min(limit, distinct) || others.length > 0 || wrong.length > 0
      || events.length !== (distinct > limit ? 1 : 0)) {
      counterexamples.push(`round ${round}: ${distinct} clusters, limit ${limit}: ${licensed.size} licensed, `
        + `${JSON.stringify(others)}, ${wrong.length} refused although licensed, ${events.length} events`);
    }
    if (round % 50 === 49) report(`${round + 1} of ${rounds} rounds, ${counterexamples.length} wrong`);
  }
  return {
    figure: `${rounds} rounds of ${parallel} parallel issues, ${repeats()} calls repeated, `
      + `${counterexamples.length} above or below the limit`,
    holds: counterexamples.length === 0,
    counterexamples,
  };
}
