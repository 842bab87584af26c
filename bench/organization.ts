import { compare, print } from './compare.ts';
import type { BenchSize } from './hop.ts';
import { launchPlatform } from './launched.ts';
import { start } from './processes.ts';

/**
 * `GET /orgs/{orgname}` with a token, end to end: CPU of gateway, services, OpenFGA, NATS and PostgreSQL together, in
 * multiples of the hand-written hop with one prepared PostgreSQL query against the same server. 50 organizations.
 */
export async function benchOrganization({ rounds, requests }: BenchSize): Promise<void> {
  await using platform = await launchPlatform();
  const { run } = platform;
  const headers = { authorization: `token ${run.admin.token}`, 'content-type': 'application/json' };
  for (let n = 0; n < 50; n += 1) {
    const body = JSON.stringify({ username: `bench-${n}` });
    const answer = await fetch(`${run.baseUrl}/api/v1/orgs`, { method: 'POST', headers, body });
    if (answer.status !== 201) throw new Error(`creating an organization answered ${answer.status}`);
  }
  const back = await start('hop/back.ts', ownSchema(run.postgres));
  const front = await start('hop/front.ts', `127.0.0.1:${back.port}`);
  const load = (baseUrl: string, sent: Record<string, string>) => ({
    requests, connections: 32, expect: 200,
    next: (n: number) => ({ url: `${baseUrl}/api/v1/orgs/bench-${n % 50}`, headers: sent }),
  });
  const measured = await compare(
    [
      {
        name: 'hop with one query',
        load: load(`http://127.0.0.1:${front.port}`, {}),
        processes: () => [front.pid, back.pid, platform.processes()[1]!],
      },
      {
        name: 'GET /orgs/{orgname}',
        load: load(run.baseUrl, { authorization: headers.authorization }),
        processes: platform.processes,
      },
    ],
    rounds,
  );
  print('GET /orgs/{orgname} with a token, end to end', measured, { 'GET /orgs/{orgname}': 1.4 });
  front.stop();
  back.stop();
}

/** The URL under which the tables of orgs-teams are found without naming their schema. */
function ownSchema(url: string): string {
  const withPath = new URL(url);
  withPath.pathname = '/platform';
  withPath.searchParams.set('options', '-c search_path=orgs_teams');
  return withPath.href;
}
