import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { environmentName, grpcServices } from '@platform/service';
import { repositoryRoot } from '@platform/testing';
import type { RunningPlatform } from './platform.ts';

/** How a command of the operator ended. */
export interface Commanded {
  readonly code: number;
  /** The JSON that it printed, or empty. */
  readonly answer: unknown;
  readonly stderr: string;
}

/**
 * Runs `platform admin <argv> --json` like the operator of a running platform. @param given environment variables that
 * replace the usual ones
 */
export function adminCommand(
  { grpc, serviceCredential }: Pick<RunningPlatform, 'grpc' | 'serviceCredential'>,
  argv: readonly string[],
  given: Readonly<Record<string, string>> = {},
): Promise<Commanded> {
  const addresses = Object.fromEntries(
    grpcServices.map((service) => [environmentName(service.addresses), grpc[service.name]]),
  );
  const env = { ...process.env, NODE_OPTIONS: '', PLATFORM_TOKEN: serviceCredential, ...addresses, ...given };
  const command = join(repositoryRoot, 'apps/platform/bin/platform.mjs');
  return new Promise((resolve) => {
    execFile(process.execPath, [command, 'admin', ...argv, '--json'], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), answer: stdout && JSON.parse(stdout), stderr }));
  });
}
