import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { type Asked, exchange } from '@platform/testing';
import pg from 'pg';
import { compare, type Measured, print, printKinds, type Side } from './compare.ts';
import type { BenchSize } from './hop.ts';
import { type Launched, launchPlatform, postgresUrl } from './launched.ts';
import { start } from './processes.ts';
import { goals as scaleGoals, heading, report } from './scale.ts';

const owner = 'bench-owner';
const list = 'GET /user/contracts';
const goals = { [list]: 3 };
const connections = 32;
/** Products of one request of a site admin. The request creates one contract for each product. */
const products = ['platform', 'productdb', 'productbackup', 'productvault', 'productingress'];

interface Site {
  readonly launched: Launched;
  /** `{base_url}/api/v1`. */
  readonly api: string;
  readonly headers: Readonly<Record<string, string>>;
  asAdmin<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** An organization with contracts. */
interface Holder {
  readonly name: string;
  /** Id of a contract, and UID of a cluster that is bound to the contract. */
  readonly contract: number;
  readonly cluster: string;
}

/**
 * Measures `GET /user/contracts` for 20 contracts with 10 clusters each, as a multiple of the hand-written hop with one
 * query. Then measures reads of an owner with 5,000 contracts and 10,000 bindings. Compares them with the same reads of
 * an owner with 20 contracts. Lists are compared per returned row.
 */
export async function benchContracts(size: BenchSize): Promise<void> {
  await using launched = await launchPlatform();
  const site = await prepare(launched);
  await measureList(site, size);
  await measureScale(site, size);
}

async function measureList(site: Site, { rounds, requests }: BenchSize): Promise<void> {
  const { name } = await holder(site, 'bench-twenty', { contracts: 20, clusters: 10, products: ['platform'] });
  const { run, processes } = site.launched;
  const back = await start('hop/back.ts', postgresUrl(run, 'orgs_teams'));
  const front = await start('hop/front.ts', `127.0.0.1:${back.port}`);
  const url = `${site.api}/user/contracts?org=${name}`;
  const contracts = JSON.parse((await get(site, url)).body) as { clusters: unknown[] }[];
  if (contracts.length !== 20 || contracts.some(({ clusters }) => clusters.length !== 10)) throw new Error(`GET ${url}`);
  const hop: Side = {
    name: 'hop with one query',
    load: { requests, connections, expect: 200, next: () => ({ url: `http://127.0.0.1:${front.port}/api/v1/orgs/${name}` }) },
    processes: () => [front.pid, back.pid, processes()[1]!],
  };
  const side: Side = {
    name: list,
    load: { requests, connections, expect: 200, next: () => ({ url, headers: site.headers }) },
    processes,
  };
  const measured = await compare([hop, side], rounds);
  print('20 contracts with 10 clusters each', measured, goals);
  printKinds(measured);
  front.stop();
  back.stop();
}

/** A read in an organization, as its owner. */
interface Read {
  readonly name: string;
  readonly path: (holder: Holder) => string;
  /** Replaces the default number of requests in a round. */
  readonly requests?: number;
}

const id = ({ contract }: Holder) => String(contract);
const singles: readonly Read[] = [
  { name: 'GET /user/contracts/{id}', path: (of) => `/user/contracts/${id(of)}` },
  { name: 'GET /user/contracts/{id}/audit', path: (of) => `/user/contracts/${id(of)}/audit` },
  { name: 'GET /user/contracts/{id}/clusters', path: (of) => `/user/contracts/${id(of)}/clusters` },
  {
    name: 'GET …/associated-clusters/{clusterID}/status',
    path: ({ cluster }) => `/user/contracts/active/associated-clusters/${cluster}/status`,
  },
  {
    name: 'GET …/associated-with/clusters/{clusterID}',
    path: ({ cluster }) => `/user/contracts/active/associated-with/clusters/${cluster}`,
  },
];
const lists: readonly Read[] = [
  { name: 'GET /user/contracts', path: () => '/user/contracts', requests: 4 },
  { name: 'GET /user/contracts?page=1&limit=10', path: () => '/user/contracts?page=1&limit=10' },
  { name: 'GET /user/contracts?page=2&limit=10', path: () => '/user/contracts?page=2&limit=10' },
  {
    name: 'GET /user/contracts/active-offline-contracts?limit=10',
    path: () => '/user/contracts/active-offline-contracts?limit=10',
  },
  {
    name: 'GET …/not-associated-with/clusters/{clusterID}?limit=10',
    path: ({ cluster }) => `/user/contracts/active/not-associated-with/clusters/${cluster}?limit=10`,
  },
  { name: 'GET …/associated-clusters', path: () => '/user/contracts/active/associated-clusters', requests: 4 },
  { name: 'GET …/associated-clusters?limit=10', path: () => '/user/contracts/active/associated-clusters?limit=10' },
];

async function measureScale(site: Site, { rounds, requests }: BenchSize): Promise<void> {
  const holders = [
    await holder(site, 'bench-small', { contracts: 20, clusters: 2, products }),
    await holder(site, 'bench-large', { contracts: 5_000, clusters: 2, products }),
  ] as const;
  // Autovacuum would do this later. After a vacuum, PostgreSQL can count the rows of lists with an index-only scan.
  const client = new pg.Client({ connectionString: postgresUrl(site.launched.run, 'contracts_licensing') });
  await client.connect();
  await client.query('vacuum (analyze) contract, contract_cluster');
  await client.end();
  const perRound = Math.min(requests, 100);
  const urlOf = (read: Read, of: Holder) => {
    const path = read.path(of);
    return `${site.api}${path}${path.includes('?') ? '&' : '?'}org=${of.name}`;
  };
  const rowsOf = async (read: Read, of: Holder) => {
    const { body } = await get(site, urlOf(read, of));
    return (JSON.parse(body) as unknown[]).length;
  };
  const measure = async (read: Read) => await compare(holders.map((of): Side => ({
    name: read.name,
    load: {
      requests: read.requests ?? perRound, connections: 2, expect: 200,
      next: () => ({ url: urlOf(read, of), headers: site.headers }),
    },
    processes: site.launched.processes,
  })), rounds) as [Measured, Measured];

  heading('A read of one thing of an owner with 5,000 contracts', scaleGoals.single);
  for (const read of singles) report(read.name, await measure(read), [1, 1], scaleGoals.single);
  heading('A list of an owner with 5,000 contracts, for each row it returns', scaleGoals.list);
  for (const read of lists) {
    const rows: [number, number] = [await rowsOf(read, holders[0]), await rowsOf(read, holders[1])];
    report(read.name, await measure(read), rows, scaleGoals.list);
  }
}

/** Creates the user who will own the organizations. */
async function prepare(launched: Launched): Promise<Site> {
  const { run, command } = launched;
  await command('admin', 'user', 'create', '--username', owner, '--email', `${owner}@example.org`);
  const { token } = await command<{ token: string }>('admin', 'token', 'create', '--user', owner, '--name', 'bench');
  const api = `${run.baseUrl}/api/v1`;
  const agent = new Agent({ keepAlive: true });
  return {
    launched,
    api,
    headers: { authorization: `token ${token}` },
    asAdmin: async <Answer>(method: string, path: string, body?: unknown) => {
      const headers = { authorization: `token ${run.admin.token}`, 'content-type': 'application/json' };
      const asked: Asked = { method, url: api + path, headers, body: JSON.stringify(body) };
      const answer = await exchange(agent, asked);
      if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body}`);
      return JSON.parse(answer.body) as Answer;
    },
  };
}

interface Holding {
  readonly contracts: number;
  /** Number of clusters of each contract. The contracts of one request have the same clusters. */
  readonly clusters: number;
  readonly products: readonly string[];
}

/** Creates an organization with contracts. The user of the site owns the organization. */
async function holder(site: Site, name: string, { contracts, clusters, products: each }: Holding): Promise<Holder> {
  const begun = performance.now();
  await exchange(new Agent(), {
    method: 'POST', url: `${site.api}/orgs`, headers: { ...site.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ username: name }),
  });
  const end = Math.floor(Date.now() / 1000) + 86_400;
  let last: Holder | undefined;
  let left = contracts / each.length;
  await Promise.all(Array.from({ length: 4 }, async () => {
    while (left > 0) {
      left -= 1;
      const bound = Array.from({ length: clusters }, () => ({ cluster: randomUUID() }));
      const [contract] = await site.asAdmin<{ id: number }[]>('POST', '/contracts', {
        orgOrUser: name, name: 'Bench', products: each, end, allowOffline: true, clusters: bound,
      });
      last = { name, contract: contract!.id, cluster: bound[0]!.cluster };
    }
  }));
  console.log(`${name}: ${contracts} contracts created in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return last!;
}

async function get({ headers }: Site, url: string): Promise<{ body: string }> {
  const answer = await exchange(new Agent(), { url, headers });
  if (answer.status !== 200) throw new Error(`GET ${url} answered ${answer.status}: ${answer.body}`);
  return answer;
}
