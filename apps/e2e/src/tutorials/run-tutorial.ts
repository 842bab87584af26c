import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { repositoryRoot } from '@platform/testing';
import type { Step } from './read-tutorial.ts';

/**
 * Runs the steps in one shell, as if somebody pasted them, and ends at the first command that fails. Returns the output
 * of each completed step, with the lines of the page that the output lacks; the exit code, which is 0 if all steps were
 * completed; and the end of the whole output.
 *
 * @param environment variables besides PATH and HOME
 * @param folder where the shell starts; default the repository
 */
export async function runSteps(
  steps: readonly Step[], environment: Readonly<Record<string, string>>, folder: string = repositoryRoot,
) {
  const mark = `end-of-step-${randomUUID()}`;
  const script = steps.map(({ commands }) => `${commands}\necho; echo ${mark}`).join('\n');
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `exec 2>&1\n${script}`], {
    cwd: folder, env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const all = await text(child.stdout);
  const printed = all.split(`${mark}\n`).slice(0, -1).map((output, index) => {
    const step = steps[index]!;
    return { step, output, lacking: lackingIn(output, step.prints) };
  });
  return { printed, code: await ended, end: all.slice(-2_000) };
}

/** The lines that do not occur in the output in this order. Widths of columns and indentation do not count. */
export function lackingIn(output: string, lines: readonly string[]): string[] {
  const printed = output.split('\n').map(withoutWidths);
  let next = 0;
  return lines.filter((line) => {
    const pattern = new RegExp(`^${withoutWidths(line).split('…').map(RegExp.escape).join('.*')}$`);
    const found = printed.findIndex((one, index) => index >= next && pattern.test(one));
    if (found !== -1) next = found + 1;
    return found === -1;
  });
}

function withoutWidths(line: string): string {
  return line.trim().replaceAll(/\s+/g, ' ');
}
