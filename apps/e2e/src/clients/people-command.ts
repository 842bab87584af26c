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

const program = join(repositoryRoot, 'apps/platform/bin/platform.mjs');

/** Runs `platform` like a person who only has the address and a token. @param home folder that stores both */
export function peopleCommand(home: string, argv: readonly string[], input = ''): Promise<Ended> {
  return ended(home, process.execPath, [program, ...argv], input);
}

/** Does the same on a terminal, which `script` of Debian's bsdutils provides. */
export function peopleTerminal(home: string, argv: readonly string[]): Promise<Ended> {
  const command = [process.execPath, program, ...argv].map((one) => `'${one}'`).join(' ');
  return ended(home, 'script', ['--quiet', '--return', '--command', command, '/dev/null'], '');
}

async function ended(home: string, command: string, argv: readonly string[], input: string): Promise<Ended> {
  const env = { PATH: process.env['PATH'], HOME: home };
  const child = spawn(command, argv, { env });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  return { code: child.exitCode, stdout, stderr };
}
