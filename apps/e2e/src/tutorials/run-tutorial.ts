import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { repositoryRoot } from '@platform/testing';
import type { Step } from './read-tutorial.ts';

/** What a step printed. */
export interface Printed {
  readonly step: Step;
  readonly output: string;
  /** Lines of the page that the output lacks. */
  readonly lacking: readonly string[];
}

/** What the steps of a tutorial did. */
export interface Ran {
  /** The steps that ended; all of them if `code` is 0. */
  readonly printed: readonly Printed[];
  readonly code: number | null;
  /** The end of the output. */
  readonly end: string;
}

/**
 * Runs the steps in one shell, as if somebody pasted them, and ends at the first command that fails.
 *
 * @param environment variables besides PATH and HOME
 * @param folder where the shell starts; default the repository
 */
export async function runSteps(
  steps: readonly Step[], environment: Readonly<Record<string, string>>, folder: string = repositoryRoot,
): Promise<Ran> {
  const mark = `end-of-step-${randomUUID()}`;
  const script = steps.map(({ commands }) => `${commands}\necho; echo ${mark}`).join('\n');
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `exec 2>&1\n${script}`], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = await text(child.stdout);
  const parts = output.split(`${mark}\n`);
  return {
    printed: parts.slice(0, -1).map((part, index) => {
      const step = steps[index]!;
      return { step, output: part, lacking: lackingIn(part, step.prints) };
    }),
    code: await ended,
    end: output.slice(-2_000),
  };
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
