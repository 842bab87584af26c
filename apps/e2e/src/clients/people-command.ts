import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repositoryRoot } from '@platform/testing';

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Calls `platform` as a person does, who has nothing but the address and a token. @param home where it keeps both */
export async function peopleCommand(home: string, argv: readonly string[], input = ''): Promise<Ended> {
  const env = { PATH: process.env['PATH'], HOME: home };
  const child = spawn(process.execPath, [join(repositoryRoot, 'apps/platform/bin/platform.mjs'), ...argv], { env });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  return { code: child.exitCode, stdout, stderr };
}
