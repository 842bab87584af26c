import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { platformProgram } from './operator-command.ts';
import type { RunningPlatform } from './platform.ts';

/** Runs `platform seed <arguments> --json` against a platform, and returns its counts. */
export async function seed<Counts>(platform: RunningPlatform, ...argv: readonly string[]): Promise<Counts> {
  const { stdout } = await beginSeed(platform, ...argv);
  return JSON.parse(stdout) as Counts;
}

/** Starts such a command: `child` is its process. */
export function beginSeed({ grpc, serviceCredential }: RunningPlatform, ...argv: readonly string[]) {
  return promisify(execFile)(process.execPath, [platformProgram, 'seed', ...argv, '--json'], {
    env: {
      PATH: process.env['PATH'], PLATFORM_TOKEN: serviceCredential,
      PLATFORM_SERVER: grpc['orgs-teams'], PLATFORM_SERVICES_CLUSTERS: grpc.clusters,
      PLATFORM_SERVICES_CONTRACTS_LICENSING: grpc['contracts-licensing'],
      PLATFORM_SERVICES_BILLING_DASHBOARD: grpc['billing-dashboard'],
    },
  });
}
