import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { compare, type Measured } from './compare.ts';
import type { BenchSize } from './hop.ts';
import { type Launched, launchPlatform, postgresUrl } from './launched.ts';
import { callerOf } from './site.ts';
import { fillHistory } from './usage/fill-history.ts';

const clusters = 1_000;
const objectsOfCluster = 100;
const [short, long] = [1_000_000, 10_000_000];
/** `history` and `p99Ms` must hold. `cpu` is the goal for a view, as a multiple of one aggregate statement. */
export const limits = { history: 1.2, p99Ms: 1_000, cpu: 3 };
const organization = 'bench-usage';
/** Maximum number of requests of a view in a round. An answer with all objects has about 35 MB. */
const mostRequests = 10;

interface Site {
  readonly launched: Launched;
  readonly headers: Readonly<Record<string, string>>;
  readonly ownerId: number;
}

const reports = '/usage-report/products';
const views: Readonly<Record<string, string>> = {
  'objects': `${reports}/productdb/views/objects-usage-view?`,
  'objects, billable': `${reports}/productdb/views/objects-usage-view?view_type=billable&`,
  'clusters': `${reports}/productdb/views/clusters-usage-view?`,
  'namespaces': `${reports}/productdb/views/namespaces-usage-view?`,
  'group-kinds': `${reports}/productdb/views/gks-usage-view?`,
  'contracts': `${reports}/productdb/views/contracts-usage-view?`,
  'contracts, billable': `${reports}/productdb/views/contracts-usage-view?view_type=billable&`,
  'quota histories': `${reports}/productdb/views/object-quota-history-summaries-view?`,
  'cluster modes': `${reports}/productdb/views/objects-cluster-mode-usage-view?`,
  'clusters of productbackup': `${reports}/productbackup/views/clusters-usage-view?`,
};

/**
 * Measures views of the last month of an organization with 1,000 clusters of 100 objects each. Compares the
 * times for a history of 10,000,000 events and for a history of 1,000,000 events. Also measures p99, and the CPU as a
 * multiple of one aggregate statement for the month.
 */
export async function benchUsage({ rounds, requests }: BenchSize): Promise<void> {
  await using one = await launchPlatform();
  await using other = await launchPlatform();
  const month = lastMonth();
  const sites = [await prepare(one, short, month), await prepare(other, long, month)] as const;
  await using aggregate = await serveAggregate(sites[1], month);
  console.log('\n| view | MB | 1M p50 ms | 10M p50 ms | × p50 | 10M p99 ms | CPU ms | × aggregate | holds |');
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const [name, view] of Object.entries(views)) {
    const path = `/api/v1/dashboard/summary/${month.slice(0, 4)}/${month.slice(5, 7)}${view}org=${organization}`;
    const load = { requests: Math.min(requests, mostRequests), connections: 1, expect: 200 };
    let megabytes = 0;
    const check = (_: number, body: string) => {
      megabytes = body.length / 1e6;
    };
    const measured = await compare([
      {
        name: 'aggregate', processes: () => [other.processes()[1]!],
        load: { ...load, next: () => ({ url: aggregate.url }) },
      },
      ...sites.map(({ launched, headers }) => ({
        name, processes: launched.processes,
        load: { ...load, check, next: () => ({ url: launched.run.baseUrl + path, headers }) },
      })),
    ], rounds);
    report(name, megabytes, measured as [Measured, Measured, Measured]);
  }
}

function report(name: string, megabytes: number, [, one, other]: [Measured, Measured, Measured]): void {
  const times = other.p50.median / one.p50.median;
  const holds = times <= limits.history && other.p99.high <= limits.p99Ms;
  console.log(`| ${name} | ${megabytes.toFixed(2)} | ${one.p50.median.toFixed(1)} | ${other.p50.median.toFixed(1)} `
    + `| ${times.toFixed(2)} | ${other.p99.high.toFixed(0)} | ${other.cpu.median.toFixed(1)} `
    + `| ${other.times.median.toFixed(2)} | ${holds ? 'yes' : 'NO'} |`);
}

/** First day of the UTC month before this one. */
function lastMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 10);
}

async function prepare(launched: Launched, events: number, firstDay: string): Promise<Site> {
  const begun = performance.now();
  const { run } = launched;
  const { token } = run.admin;
  const call = callerOf(`${run.baseUrl}/api/v1`, token);
  await call('POST', '/orgs', { username: organization });
  const { id: ownerId } = await call<{ id: number }>('GET', `/orgs/${organization}`);
  const client = new pg.Client({ connectionString: postgresUrl(run, 'billing_dashboard') });
  await client.connect();
  await fillHistory(client, { ownerId, clusters, objectsOfCluster, events, firstDay });
  await client.end();
  console.log(`${events} events of history: filled in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return { launched, headers: { authorization: `token ${token}` }, ownerId };
}

/** Serves one aggregate statement over the usage of the month by HTTP. So it can be measured like a view. */
async function serveAggregate({ launched, ownerId }: Site, firstDay: string) {
  const pool = new pg.Pool({ connectionString: postgresUrl(launched.run, 'billing_dashboard'), max: 1 });
  const server = createServer((_, response) => {
    void pool.query(`
      select metered_id, contract_id, class, sum(cpu * (to_us - from_us)), sum(memory * (to_us - from_us))
        from usage_segment where product = 'productdb' and month = $1::date and owner_id = $2
       group by metered_id, contract_id, class`, [firstDay, ownerId])
      .then(({ rows }) => response.end(String(rows.length)), (error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await pool.end();
    },
  };
}
