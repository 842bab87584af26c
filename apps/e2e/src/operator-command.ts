import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { environmentName, grpcServices } from '@platform/service';
import { repositoryRoot } from '@platform/testing';
import type { RunningPlatform } from './platform.ts';

/** The program `platform`. */
export const platformProgram = join(repositoryRoot, 'apps/platform/bin/platform.mjs');

/** Runs `platform <argv>` in this environment. */
export function platformCommand(argv: readonly string[], env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [platformProgram, ...argv], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }));
  });
}

/**
 * Runs `platform admin <argv> --json` like the operator of a running platform; `answer` is the JSON that it printed, or
 * empty. @param given environment variables that replace the usual ones
 */
export async function adminCommand(
  { grpc, serviceCredential }: Pick<RunningPlatform, 'grpc' | 'serviceCredential'>, argv: readonly string[],
  given: Readonly<Record<string, string>> = {},
) {
  const addresses = Object.fromEntries(grpcServices.map((one) => [environmentName(one.addresses), grpc[one.name]]));
  const env = { ...process.env, NODE_OPTIONS: '', PLATFORM_TOKEN: serviceCredential, ...addresses, ...given };
  const { code, stdout, stderr } = await platformCommand(['admin', ...argv, '--json'], env);
  const answer: unknown = stdout && JSON.parse(stdout);
  return { code, answer, stderr };
}
