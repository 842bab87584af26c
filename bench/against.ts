import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compare, type Measured, type Spread } from './compare.ts';
import type { BenchSize } from './hop.ts';
import { type Launched, launchPlatform, settled } from './launched.ts';
import { compareRevoking } from './revoking.ts';
import { newTeam, reads, readsPerWrite, write } from './routes.ts';
import { type BenchSite, prepareSite } from './site.ts';

const connections = 32;
const organizationCount = 50;
const run = promisify(execFile);

/**
 * Compares five routes and `GET /version` of this code and of another commit. The two sides run with their own
 * packages on equal sites, and take turns. The CPU time of a write includes the work until it is settled. Then compares
 * the duration of calls that revoke rights.
 */
export async function benchAgainst({ rounds, requests }: BenchSize, commit: string): Promise<void> {
  await using tree = await treeOf(commit);
  await using before = await launchPlatform({}, tree.folder);
  await using now = await launchPlatform();
  const sites = [
    { name: commit, platform: before, site: await prepareSite(before, organizationCount) },
    { name: 'this code', platform: now, site: await prepareSite(now, organizationCount) },
  ] as const;
  const routes: readonly Route[] = [
    { name: 'GET /version', requests, expect: 200, next: ({ api }) => ({ url: `${api}/version` }) },
    ...Object.entries(reads).map(([name, path]): Route => ({
      name, requests, expect: 200,
      next: ({ api, headers, organizations }, n) =>
        ({ url: api + path(organizations[n % organizationCount]!), headers }),
    })),
    {
      name: write, requests: Math.ceil(requests / readsPerWrite), expect: 201,
      next: (site, n) => newTeam(site, site.growing[n % organizationCount]!, n + 1),
      finished: ({ run: of }) => settled(of),
    },
  ];
  console.log(`\nThis code against ${commit}, end to end\n`);
  console.log('| route | × CPU | CPU ms, before | now | × p50 | by kind, before | now |');
  console.log('|---|---|---|---|---|---|---|');
  for (const route of routes) console.log(row(route.name, await compare(sidesOf(sites, route), rounds)));
  await compareRevoking(sites, rounds);
}

interface Route {
  readonly name: string;
  readonly requests: number;
  readonly expect: number;
  next(site: BenchSite, n: number): { url: string; headers?: Readonly<Record<string, string>> };
  finished?(platform: Launched): Promise<void>;
}

interface Compared {
  readonly name: string;
  readonly platform: Launched;
  readonly site: BenchSite;
}

function sidesOf(sites: readonly Compared[], route: Route) {
  return sites.map(({ name, platform, site }) => {
    // Counted over all rounds, so that no name is used twice.
    let sent = 0;
    return {
      name,
      load: {
        requests: route.requests, connections, expect: route.expect, next: () => route.next(site, sent++),
      },
      processes: platform.processes,
      finished: () => route.finished?.(platform) ?? Promise.resolve(),
    };
  });
}

function row(route: string, [before, now]: readonly Measured[]): string {
  const range = ({ median, low, high }: Spread) => `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
  const kinds = ({ cpuByKind }: Measured) => [...cpuByKind].filter(([, ms]) => ms >= 0.05)
    .map(([kind, ms]) => `${kind} ${ms.toFixed(2)}`).join(', ');
  return `| \`${route}\` | ${range(now!.times)} | ${before!.cpu.median.toFixed(3)} | ${now!.cpu.median.toFixed(3)} `
    + `| ${(now!.p50.median / before!.p50.median).toFixed(2)} | ${kinds(before!)} | ${kinds(now!)} |`;
}

/** Extracts a commit into a temporary folder and prepares it for start. Disposing deletes the folder. */
async function treeOf(commit: string): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-against-'));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, 'code.tar');
    await run('git', ['archive', `--output=${archive}`, commit], { cwd: join(import.meta.dirname, '..') });
    await run('tar', ['-xf', archive, '-C', folder]);
    await run(process.execPath, ['scripts/prepare.mjs'], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return { folder, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
