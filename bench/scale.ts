import { compare, type Measured } from './compare.ts';
import type { BenchSize } from './hop.ts';
import { type Launched, launchPlatform } from './launched.ts';

/** A site, and the objects that the reads request. */
interface Site {
  launched: Launched;
  headers: { authorization: string };
  organization: { name: string; id: number };
  owner: string;
  team: number;
  role: number;
}

interface Read {
  name: string;
  path: (site: Site) => string;
  expect?: number;
  /** Replaces the default number of requests in a round. */
  requests?: number;
}

/** Goal for the time of a read, as a multiple of its time in a smaller site. Times of lists are per returned row. */
export const goals = { single: 1.5, list: 2 };

const small = { users: 50, organizations: 3, teams: 8, members: 40 };
const large = { users: 100_000, organizations: 1, teams: 500, members: 10_000 };

const singles: readonly Read[] = [
  { name: 'GET /orgs/{orgname}', path: ({ organization }) => `/orgs/${organization.name}` },
  { name: 'GET /orgs/{orgname}/is-owner', path: ({ organization }) => `/orgs/${organization.name}/is-owner` },
  {
    name: 'GET /orgs/{orgname}/members/{username}', expect: 204,
    path: ({ organization, owner }) => `/orgs/${organization.name}/members/${owner}`,
  },
  {
    name: 'GET /orgs/{orgname}/public_members/{username}', expect: 204,
    path: ({ organization, owner }) => `/orgs/${organization.name}/public_members/${owner}`,
  },
  {
    name: 'GET /orgs/{orgname}/user/{username}',
    path: ({ organization, owner }) => `/orgs/${organization.name}/user/${owner}`,
  },
  { name: 'GET /teams/{teamid}', path: ({ team }) => `/teams/${team}` },
  { name: 'GET /teams/{teamid}/members/{username}', path: ({ team, owner }) => `/teams/${team}/members/${owner}` },
  { name: 'GET /authz/roles/{id}', path: ({ role, organization }) => `/authz/roles/${role}?org=${organization.name}` },
  {
    name: 'GET …/organization/{id}/allowed-permissions',
    path: ({ organization: { id, name } }) => `/authz/objects/organization/${id}/allowed-permissions?org=${name}`,
  },
];

const lists: readonly Read[] = [
  ...['', '?page=1&limit=20', '?page=2&limit=20'].flatMap((query): Read[] => [
    {
      name: `GET /orgs/{orgname}/members${query}`, requests: query === '' ? 4 : 100,
      path: ({ organization }) => `/orgs/${organization.name}/members${query}`,
    },
    {
      name: `GET /orgs/{orgname}/teams${query.replaceAll('20', '4')}`, requests: query === '' ? 20 : 100,
      path: ({ organization }) => `/orgs/${organization.name}/teams${query.replaceAll('20', '4')}`,
    },
  ]),
  {
    name: 'GET /orgs/{orgname}/public_members',
    path: ({ organization }) => `/orgs/${organization.name}/public_members`,
  },
  { name: 'GET /teams/{teamid}/members', path: ({ team }) => `/teams/${team}/members` },
  { name: 'GET /authz/roles', path: ({ organization }) => `/authz/roles?org=${organization.name}` },
  {
    name: 'GET /authz/roles/{id}/principals',
    path: ({ role, organization }) => `/authz/roles/${role}/principals?org=${organization.name}`,
  },
];

/**
 * Measures each read in an organization of 10,000 members and 500 teams on a site with 100,000 users. Compares it with
 * the same read in a small site. Times of lists are per returned row. Both sites run at the same time and get requests
 * in turn.
 */
export async function benchScale({ rounds, requests }: BenchSize): Promise<void> {
  await using smallPlatform = await launchPlatform();
  await using largePlatform = await launchPlatform();
  const [one, other] = [await prepare(smallPlatform, small), await prepare(largePlatform, large)];
  const perRound = Math.min(requests, 200);
  const rowsOf = async (site: Site, read: Read) => ((await call(site, 'GET', read.path(site))) as unknown[]).length;

  heading('A read of one thing', goals.single);
  for (const read of singles) {
    report(read.name, await measure([one, other], read, perRound, rounds), [1, 1], goals.single);
  }
  heading('A list, for each row it returns', goals.list);
  for (const read of lists) {
    const rows: [number, number] = [await rowsOf(one, read), await rowsOf(other, read)];
    report(read.name, await measure([one, other], read, perRound, rounds), rows, goals.list);
  }
}

/**
 * Seeds a site and prepares the objects that the reads request. An owner joins a team, becomes a public member, and
 * creates a role for the team.
 */
async function prepare(launched: Launched, size: typeof small): Promise<Site> {
  const begun = performance.now();
  const numbers = Object.entries(size).flatMap(([key, value]) => [`--${key}`, String(value)]);
  await launched.command('seed', ...numbers, '--seed', 'scale');
  console.log(`${size.users} users, ${size.organizations} × ${size.members} members and ${size.teams} teams: `
    + `seeded in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  const name = 'seed-scale-organization-1';
  const admin = { launched, headers: { authorization: `token ${launched.run.admin.token}` } };
  const teams = (await call(admin, 'GET', `/orgs/${name}/teams`)) as { id: number; name: string }[];
  const teamNamed = (wanted: string) => teams.find((team) => team.name === wanted)!.id;
  const [owner] = (await call(admin, 'GET', `/teams/${teamNamed('Owners')}/members`)) as { login: string }[];
  const { token } = await launched.command<{ token: string }>(
    'admin', 'token', 'create', '--user', owner!.login, '--name', 'bench',
  );
  const asOwner = { launched, headers: { authorization: `token ${token}` } };
  const team = teamNamed('team-1');
  await call(asOwner, 'PUT', `/teams/${team}/members/${owner!.login}`);
  await call(asOwner, 'PUT', `/orgs/${name}/public_members/${owner!.login}`);
  const role = (await call(asOwner, 'POST', `/authz/roles?org=${name}`, {
    name: 'watcher', permissions: [{ namespace: 'team_mgmt', action: 'view teams' }], teamIDs: [team],
  })) as { id: number };
  const { id } = (await call(asOwner, 'GET', `/orgs/${name}`)) as { id: number };
  return { ...asOwner, organization: { name, id }, owner: owner!.login, team, role: role.id };
}

async function call(
  { launched, headers }: Pick<Site, 'launched' | 'headers'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(`${launched.run.baseUrl}/api/v1${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

async function measure(
  sites: readonly [Site, Site],
  { name, path, expect = 200, requests }: Read,
  perRound: number,
  rounds: number,
): Promise<[Measured, Measured]> {
  const sides = sites.map((site) => ({
    name,
    load: {
      requests: requests ?? perRound, connections: 2, expect,
      next: () => ({ url: `${site.launched.run.baseUrl}/api/v1${path(site)}`, headers: site.headers }),
    },
    processes: site.launched.processes,
  }));
  return (await compare(sides, rounds)) as [Measured, Measured];
}

export function heading(title: string, goal: number): void {
  console.log(`\n${title} (goal × p50 ≤ ${goal})\n`);
  console.log('| read | rows | small p50 ms | large p50 ms | × p50 | × CPU | goal met |');
  console.log('|---|---|---|---|---|---|---|');
}

export function report(name: string, [one, other]: [Measured, Measured], rows: [number, number], goal: number): void {
  const perRow = rows[0] / rows[1];
  const times = (other.p50.median / one.p50.median) * perRow;
  const cpu = (other.cpu.median / one.cpu.median) * perRow;
  const met = times <= goal ? 'yes' : 'NO';
  console.log(`| ${name} | ${rows.join(' / ')} | ${one.p50.median.toFixed(2)} | ${other.p50.median.toFixed(2)} `
    + `| ${times.toFixed(2)} | ${cpu.toFixed(2)} | ${met} |`);
}
