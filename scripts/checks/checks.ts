import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { root, runNode } from './run-command.ts';

/** Result of one check of the sources. A check counts as one test. */
export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  /** Whether the result comes from Nx's cache, because the sources have not changed since an earlier run. */
  readonly cached: boolean;
  readonly seconds: number;
  /** Output of the check, or of the whole Nx run if the check has no output of its own. */
  readonly output: string;
}

/** Targets of scripts/project.json that check the sources. */
export const checks = ['buf', 'typecheck', 'lint', 'docs', 'texts'] as const;

/** The part of an Nx run's report that is read here. */
interface NxRun {
  readonly tasks: readonly {
    readonly target: string;
    readonly hash: string;
    readonly startTime: string;
    readonly endTime: string;
    readonly cacheStatus: string;
    readonly status: number;
  }[];
}

const nx = 'node_modules/nx/dist/bin/nx.js';
const cache = join(root, '.nx/cache');
const runFile = join(cache, 'run.json');

/** Runs every check with Nx, one after the other, at low priority. */
export async function runChecks(): Promise<CheckResult[]> {
  rmSync(runFile, { force: true });
  // Exclude the tasks on which checks depend. They would generate code that scripts/prepare.mjs has already generated.
  // Nothing may replace this code while specs run.
  const { output } = await runNode(
    [nx, 'run-many', '--projects=scripts', `--targets=${checks.join(',')}`, '--parallel=1', '--nxBail=false',
      '--excludeTaskDependencies', '--outputStyle=static'],
    { show: 'keep', niceness: 10 },
  );
  const { tasks } = readRun();
  return checks.map((name) => {
    const task = tasks.find(({ target }) => target === name);
    if (task === undefined) return { name, passed: false, cached: false, seconds: 0, output };
    return {
      name,
      passed: task.status === 0,
      cached: task.cacheStatus !== 'cache-miss',
      seconds: (Date.parse(task.endTime) - Date.parse(task.startTime)) / 1000,
      output: printedBy(task.hash) ?? output,
    };
  });
}

function readRun(): NxRun {
  try {
    return JSON.parse(readFileSync(runFile, 'utf8')) as NxRun;
  } catch {
    // Nx failed before it wrote the report; its output contains the reason.
    return { tasks: [] };
  }
}

function printedBy(hash: string): string | undefined {
  try {
    return readFileSync(join(cache, 'terminalOutputs', hash), 'utf8');
  } catch {
    return undefined;
  }
}
