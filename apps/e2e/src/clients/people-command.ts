import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { platformProgram } from '../operator-command.ts';

/** Runs `platform` like a person who only has the address and a token. @param home folder that stores both */
export function peopleCommand(home: string, argv: readonly string[], input = '') {
  return ended(home, process.execPath, [platformProgram, ...argv], input);
}

/** Does the same on a terminal, which `script` of Debian's bsdutils provides. */
export function peopleTerminal(home: string, argv: readonly string[]) {
  const command = [process.execPath, platformProgram, ...argv].map((one) => `'${one}'`).join(' ');
  return ended(home, 'script', ['--quiet', '--return', '--command', command, '/dev/null'], '');
}

async function ended(home: string, command: string, argv: readonly string[], input: string) {
  const child = spawn(command, argv, { env: { PATH: process.env['PATH'], HOME: home } });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  return { code: child.exitCode, stdout, stderr };
}
