import { readFileSync } from 'node:fs';
import { compare, type Measured, printKinds, type Side } from './compare.ts';
import { descendantsOf, kindOf } from './cpu.ts';
import type { BenchSize } from './hop.ts';
import { type Launched, launchPlatform } from './launched.ts';
import { type Running, startApp } from './processes.ts';
import { prepareSite } from './site.ts';

const organizationCount = 10;
const gatewayCounts = [1, 2, 4] as const;
const mostGateways = 4;

/**
 * Measures `GET /orgs/{orgname}` with 1, 2 and 4 gateways, each with 1 and 2 replicas of orgs-teams. Prints throughput,
 * latency and CPU time.
 */
export async function benchReplicas({ rounds, requests }: BenchSize): Promise<void> {
  await using platform = await launchPlatform();
  const site = await prepareSite(platform, organizationCount);
  const first = platform.run.grpc['orgs-teams']!;
  const second = await startAlike(platform, 'orgs-teams', {});
  const both = `${first},${second.addresses['grpc']!}`;
  const gateways = new Map<number, (Running & { addresses: Record<string, string> })[]>();
  for (const [replicas, addresses] of [[1, first], [2, both]] as const) {
    const started = Array.from({ length: mostGateways }, () =>
      startAlike(platform, 'gateway', { PLATFORM_SERVICES_ORGS_TEAMS: addresses }));
    gateways.set(replicas, await Promise.all(started));
  }
  const extra = [second, ...[...gateways.values()].flat()];
  const sides = [1, 2].flatMap((replicas) => gatewayCounts.map((count): Side => {
    const urls = gateways.get(replicas)!.slice(0, count).map(({ addresses }) => `http://${addresses['http']!}/api/v1`);
    return {
      name: `${count} × gateway, ${replicas} × orgs-teams`,
      load: {
        requests, connections: 32, expect: 200,
        next: (n) => ({
          url: `${urls[n % count]!}/orgs/${site.organizations[n % organizationCount]!.name}`, headers: site.headers,
        }),
      },
      processes: () => [...platform.processes(), ...extra.map(({ pid }) => pid)],
    };
  }));
  const measured = await compare(sides, rounds);
  report(measured);
  printKinds(measured);
  for (const running of extra) running.stop();
}

/** Starts another process of a running app on free ports. `settings` replace settings of the running process. */
function startAlike(
  { processes }: Launched,
  name: string,
  settings: Readonly<Record<string, string>>,
): ReturnType<typeof startApp> {
  const pid = descendantsOf(processes()).find((candidate) => kindOf(candidate) === name);
  if (pid === undefined) throw new Error(`no ${name} runs`);
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter((entry) => entry.includes('='));
  const environment = Object.fromEntries(entries.map((entry) => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)];
  }));
  const free = { PLATFORM_HTTP_PORT: '0', PLATFORM_GRPC_LISTEN: '127.0.0.1:0', PLATFORM_ADMIN_LISTEN: '127.0.0.1:0' };
  const { NODE_CHANNEL_FD: _, ...kept } = environment;
  return startApp(name, { ...kept, ...free, ...settings });
}

function report(measured: readonly Measured[]): void {
  console.log('\nGET /orgs/{orgname} over several processes\n');
  console.log('| processes | requests per s | CPU ms per request | cores taken | p50 ms | p99 ms |');
  console.log('|---|---|---|---|---|---|');
  for (const { name, perSecond, cpu, p50, p99 } of measured) {
    const cores = (perSecond.median * cpu.median) / 1000;
    console.log(`| ${name} | ${perSecond.median.toFixed(0)} (${perSecond.low.toFixed(0)}–${perSecond.high.toFixed(0)}) `
      + `| ${cpu.median.toFixed(2)} | ${cores.toFixed(2)} | ${p50.median.toFixed(1)} | ${p99.median.toFixed(1)} |`);
  }
}
