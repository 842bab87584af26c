import { Agent } from 'node:http';
import { exchange } from '@platform/testing';
import type { Launched } from './launched.ts';

/** A platform with organizations of 21 members and 11 teams, and the token of their owner. */
export interface BenchSite {
  /** `{base_url}/api/v1`. */
  readonly api: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Organizations for reads. */
  readonly organizations: readonly BenchOrganization[];
  /** The same number of organizations, in which measured writes create teams. */
  readonly growing: readonly BenchOrganization[];
  call<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer>;
}

export interface BenchOrganization {
  readonly name: string;
  /** Id of a team other than Owners. */
  readonly teamId: number;
}

/** The owner of every organization, and a user who joins and leaves teams. */
export const [owner, guest] = ['bench-owner', 'bench-guest'] as const;
const members = 21;
const teams = 11;

/** Seeds a site with `count` organizations for reads and `count` for writes. */
export async function prepareSite({ run, command }: Launched, count: number): Promise<BenchSite> {
  for (const username of [owner, guest]) {
    await command('admin', 'user', 'create', '--username', username, '--email', `${username}@example.org`);
  }
  const { token } = await command<{ token: string }>('admin', 'token', 'create', '--user', owner, '--name', 'bench');
  const api = `${run.baseUrl}/api/v1`;
  const [call, callAsAdmin] = [callerOf(api, token), callerOf(api, run.admin.token)];
  const plant = async (seed: string): Promise<BenchOrganization[]> => {
    // The owner is added as one more member.
    await command('seed', '--users', String(members - 1), '--organizations', String(count), '--teams', String(teams),
      '--members', String(members - 1), '--seed', seed);
    return Promise.all(Array.from({ length: count }, async (_, index) => {
      const name = `seed-${seed}-organization-${index + 1}`;
      const all = await callAsAdmin<{ id: number; name: string }[]>('GET', `/orgs/${name}/teams`);
      const idOf = (wanted: string) => all.find((team) => team.name === wanted)!.id;
      await callAsAdmin('PUT', `/teams/${idOf('Owners')}/members/${owner}`);
      return { name, teamId: idOf('team-1') };
    }));
  };
  return {
    api,
    headers: { authorization: `token ${token}` },
    organizations: await plant('read'),
    growing: await plant('written'),
    call,
  };
}

/** Returns a function that calls the API with a token. It throws if the status is 300 or higher. */
export function callerOf(api: string, token: string) {
  const agent = new Agent({ keepAlive: true });
  return async <Answer>(method: string, path: string, json?: unknown): Promise<Answer> => {
    const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
    const sent = json === undefined ? {} : { body: JSON.stringify(json) };
    const { status, body } = await exchange(agent, { method, url: api + path, headers, ...sent });
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${body}`);
    return (body === '' ? undefined : JSON.parse(body)) as Answer;
  };
}
