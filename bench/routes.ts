import { Agent } from 'node:http';
import { type Asked, exchange } from '@platform/testing';
import { compare, print, printKinds, type Side } from './compare.ts';
import type { BenchSize } from './hop.ts';
import { type Launched, launchPlatform, postgresUrl, settled } from './launched.ts';
import { start } from './processes.ts';
import { type BenchOrganization, type BenchSite, guest, prepareSite } from './site.ts';

const connections = 32;
const organizationCount = 50;

const goals = {
  'GET /orgs/{orgname}': 1.4,
  'GET /teams/{teamid}': 2,
  'GET /orgs/{orgname}/members': 2.5,
  'GET /orgs/{orgname}/teams': 2.5,
  'POST /orgs/{orgname}/teams': 20,
} as const;

type Read = (organization: BenchOrganization) => string;
export const reads: Readonly<Record<string, Read>> = {
  'GET /orgs/{orgname}': ({ name }) => `/orgs/${name}`,
  'GET /teams/{teamid}': ({ teamId }) => `/teams/${teamId}`,
  'GET /orgs/{orgname}/members': ({ name }) => `/orgs/${name}/members`,
  'GET /orgs/{orgname}/teams': ({ name }) => `/orgs/${name}/teams`,
};
export const write = 'POST /orgs/{orgname}/teams';
/** Number of reads in a round for each write, because a write costs more than a read. */
export const readsPerWrite = 10;

/**
 * Measures five routes with the token of an owner, end to end. Compares the CPU of the whole platform with the
 * hand-written hop, which runs one prepared query against the same server. The answers of the routes are checked. After
 * each round, other requests change the rows that are read. The CPU of a write includes the work until the write is
 * settled.
 */
export async function benchRoutes(size: BenchSize): Promise<void> {
  await using platform = await launchPlatform();
  const site = await prepareSite(platform, organizationCount);
  await measureRoutes(platform, site, size);
  await measureCookie(platform, site, size);
}

/**
 * Measures one route with the cookie of a session, as a multiple of the same route with a token. This token began the
 * session (open-points 18.3).
 */
async function measureCookie(
  { processes, run: { baseUrl } }: Pick<Launched, 'processes' | 'run'>,
  site: BenchSite,
  { rounds, requests }: BenchSize,
): Promise<void> {
  const fromPage = { 'origin': new URL(baseUrl).origin, 'sec-fetch-site': 'same-origin' };
  const token = site.headers['authorization']!.replace('token ', '');
  const answer = await fetch(`${baseUrl}/auth/sign-in/token`, {
    method: 'POST', body: JSON.stringify({ token }), headers: { ...fromPage, 'content-type': 'application/json' },
  });
  if (answer.status !== 204) throw new Error(`the sign-in answered ${answer.status}: ${await answer.text()}`);
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!;
  const path = reads['GET /orgs/{orgname}']!;
  const side = (name: string, headers: Readonly<Record<string, string>>): Side => ({
    name,
    load: {
      requests, connections, expect: 200,
      next: (n) => ({ url: site.api + path(site.organizations[n % organizationCount]!), headers }),
    },
    processes,
  });
  const sides = [side('by token', site.headers), side('by cookie', { ...fromPage, cookie })];
  print('GET /orgs/{orgname} by the cookie of a session', await compare(sides, rounds), { 'by cookie': 1.05 });
}

async function measureRoutes(
  { processes, run }: Pick<Launched, 'processes' | 'run'>,
  site: BenchSite,
  { rounds, requests }: BenchSize,
): Promise<void> {
  const back = await start('hop/back.ts', postgresUrl(run, 'orgs_teams'));
  const front = await start('hop/front.ts', `127.0.0.1:${back.port}`);
  const expected = new Map<string, string>();
  await rememberAnswers(site, expected);
  await settled(run);

  const { organizations, growing } = site;
  const hop: Side = {
    name: 'hop with one query',
    load: {
      requests, connections, expect: 200,
      next: (n) => ({ url: `http://127.0.0.1:${front.port}/api/v1${reads['GET /orgs/{orgname}']!(organizations[n % organizationCount]!)}` }),
    },
    processes: () => [front.pid, back.pid, processes()[1]!],
  };
  const sides = Object.entries(reads).map(([name, path]): Side => {
    const urlOf = (n: number) => site.api + path(organizations[n % organizationCount]!);
    return {
      name,
      load: {
        requests, connections, expect: 200,
        next: (n) => ({ url: urlOf(n), headers: site.headers }),
        check: (n, body) => {
          if (body !== expected.get(urlOf(n))) throw new Error(`GET ${urlOf(n)} answered ${body}`);
        },
      },
      processes,
    };
  });
  let written = 0;
  const writing: Side = {
    name: write,
    load: {
      requests: Math.ceil(requests / readsPerWrite), connections, expect: 201,
      next: (n) => newTeam(site, growing[n % organizationCount]!, (written += 1)),
      check: (_, body) => {
        if (!/"name":"written [0-9]+"/.test(body)) throw new Error(`the answer is not a created team: ${body}`);
      },
    },
    processes,
    finished: () => settled(run),
  };
  const measured = await compare([hop, ...sides, writing], rounds, async () => {
    await readBehindWrites(site);
    await rememberAnswers(site, expected);
    await settled(run);
  });
  await refuseLostTeams(site, written);
  print('Five routes with a token, end to end', measured, goals);
  printKinds(measured);
  front.stop();
  back.stop();
}

export function newTeam({ api, headers }: BenchSite, { name }: BenchOrganization, number: number): Asked {
  const body = JSON.stringify({ name: `written ${number}`, type: 'kubernetes', permission: 'write' });
  return {
    method: 'POST', url: `${api}/orgs/${name}/teams`, body, headers: { ...headers, 'content-type': 'application/json' },
  };
}

/** Stores the expected answers of the reads. */
async function rememberAnswers(
  { api, headers, organizations }: BenchSite,
  expected: Map<string, string>,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  await Promise.all(organizations.flatMap((organization) => Object.values(reads).map(async (path) => {
    const url = api + path(organization);
    const { status, body } = await exchange(agent, { url, headers });
    if (status !== 200) throw new Error(`GET ${url} answered ${status}`);
    const rows = JSON.parse(body) as unknown;
    if (Array.isArray(rows) && rows.length !== (url.endsWith('members') ? 21 : 11)) throw new Error(`${url}: ${body}`);
    expected.set(url, body);
  })));
  agent.destroy();
}

/** @throws Error if the number of listed teams is not `written` */
async function refuseLostTeams({ growing, call }: BenchSite, written: number): Promise<void> {
  let listed = 0;
  for (const { name } of growing) {
    const teams = await call<{ name: string }[]>('GET', `/orgs/${name}/teams`);
    listed += teams.filter((team) => team.name.startsWith('written ')).length;
  }
  if (listed !== written) throw new Error(`${written} teams were created, but ${listed} are listed`);
}

/** The latest changes of an organization. A change in progress may be visible; completed changes must be visible. */
interface Told {
  description: number;
  guestIn: boolean;
  /** Whether a membership is being changed. */
  moving: boolean;
  moves: number;
}

const readersBeside = connections - 4;
const changesPerWriter = 3;

/**
 * Four writers change organizations, teams and memberships while the other connections read them.
 * @throws Error if an answer does not show a change that was completed before the request
 */
async function readBehindWrites({ api, headers, organizations, call }: BenchSite): Promise<void> {
  const told = organizations.map((): Told => ({ description: 0, guestIn: false, moving: false, moves: 0 }));
  const agent = new Agent({ keepAlive: true, maxSockets: readersBeside });
  const begun = Date.now();
  let writers = 4;
  const writer = async (first: number): Promise<void> => {
    for (let change = 0; change < changesPerWriter; change += 1) {
      const at = first + 4 * change;
      const [{ name, teamId }, now] = [organizations[at]!, told[at]!];
      const stamp = begun + change;
      await call('PATCH', `/orgs/${name}`, { description: String(stamp) });
      await call('PATCH', `/teams/${teamId}`, { name: 'team-1', description: String(stamp) });
      now.description = stamp;
      for (const method of ['PUT', 'DELETE']) {
        now.moving = true;
        await call(method, `/teams/${teamId}/members/${guest}`);
        Object.assign(now, { moving: false, guestIn: method === 'PUT', moves: now.moves + 1 });
      }
    }
    writers -= 1;
  };
  const reader = async (first: number): Promise<void> => {
    for (let n = first; writers > 0; n += 7) {
      const at = n % (4 * changesPerWriter);
      const before = { ...told[at]! };
      const path = Object.values(reads)[n % 4]!(organizations[at]!);
      const { body } = await exchange(agent, { url: api + path, headers });
      const stale = isStale(JSON.parse(body) as unknown, path, organizations[at]!.teamId, before, told[at]!);
      if (stale) throw new Error(`GET ${path} answered ${body}, older than ${JSON.stringify(before)}`);
    }
  };
  await Promise.all([
    ...Array.from({ length: 4 }, (_, first) => writer(first)),
    ...Array.from({ length: readersBeside }, (_, first) => reader(first)),
  ]);
  agent.destroy();
}

function isStale(answer: unknown, path: string, teamId: number, before: Told, after: Told): boolean {
  if (path.endsWith('/members')) {
    const isIn = (answer as { login: string }[]).some(({ login }) => login === guest);
    return !before.moving && !after.moving && before.moves === after.moves && isIn !== before.guestIn;
  }
  const team = path.endsWith('/teams')
    ? (answer as { id: number; description: string }[]).find(({ id }) => id === teamId)!
    : (answer as { description: string });
  return Number(team.description) < before.description;
}
