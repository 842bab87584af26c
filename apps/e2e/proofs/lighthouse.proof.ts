import type { ProofOptions, ProofResult } from '@platform/testing';
import { findLighthouse, type Judged } from '../src/console/lighthouse.ts';
import { documentedFetch } from '../src/documented.ts';
import { seed } from '../src/seeding.ts';
import { startUsageWorld } from '../src/usage/usage-world.ts';

export const name = 'lighthouse';
export const describe = 'Lighthouse judges sign-in, start, contracts (10,000) and usage (1,000 objects of 100,000) of the '
  + 'console as a desktop sees them, the median of five: accessibility and best practices 100, performance 90 or more.';
export const servers = true;

const wholeRuns = 5;
const wholeOrganizations = 100;
const leastPerformance = 90;

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  const lighthouse = await findLighthouse(report);
  if (lighthouse === undefined) return { figure: 'Lighthouse is not available here', holds: undefined };
  await using world = await startUsageWorld();
  const organizations = Math.max(2, Math.round(wholeOrganizations * share));
  const numbers = ['--users', '1000', '--organizations', String(organizations), '--contracts', '100'];
  await seed(world.platform, ...numbers, '--clusters', '2', '--objects', '500', '--seed', 'light');
  report(`${organizations} organizations are there`);

  const { baseUrl } = world.platform;
  const cookie = await signIn(baseUrl, world.siteAdmin.token);
  const usage = '/orgs/seed-light-organization-1/usage';
  const screens = [['sign-in', '/'], ['start', '/'], ['contracts', '/site/contracts'], ['usage', usage]] as const;
  const runs = Math.max(1, Math.round(wholeRuns * share));
  const figures: string[] = [];
  const counterexamples: string[] = [];
  for (const [screen, path] of screens) {
    const judged: Judged[] = [];
    for (let run = 0; run < runs; run += 1) {
      judged.push(await lighthouse(baseUrl + path, screen === 'sign-in' ? undefined : cookie));
    }
    judged.sort((one, other) => one.scores.performance - other.scores.performance);
    const { scores, figures: { lcp, blocked, own, shift } } = judged[Math.floor((runs - 1) / 2)]!;
    const all = judged.map((one) => one.scores.performance).join(' ');
    const figure = `${screen}: performance ${scores.performance} (${all}), accessibility ${scores.accessibility}, best `
      + `practices ${scores['best-practices']}, SEO ${scores.seo}; largest paint ${lcp} ms, blocked ${blocked} ms (by itself ${own} ms), shift ${shift}`;
    report(figure);
    figures.push(figure);
    for (const one of judged) {
      if (one.scores.accessibility < 100 || one.scores['best-practices'] < 100) {
        counterexamples.push(`${screen}: ${JSON.stringify(one.scores)}`);
      }
    }
    // A share only checks that Lighthouse can rate the page.
    if (share === 1 && scores.performance < leastPerformance) {
      counterexamples.push(`${screen}: performance ${scores.performance}`);
    }
  }
  return { figure: figures.join('; '), holds: counterexamples.length === 0, counterexamples };
}

/** Signs in with a token; returns the session cookie. */
async function signIn(baseUrl: string, token: string): Promise<string> {
  const answer = await documentedFetch(`${baseUrl}/auth/sign-in/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'origin': baseUrl, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token }),
  });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer.headers.getSetCookie().map((one) => one.split(';')[0]!).join('; ');
}
