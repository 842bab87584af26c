import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { timesVariable } from '@platform/testing';

import { root, runNode } from '../checks/run-command.ts';

/** Folder for the results of a run; git ignores it. */
export const runFolder = join(root, 'node_modules/.cache/platform');
/** File with the times that the harness records during a run (`timed` of libs/testing). */
export const timesFile = join(runFolder, 'times.jsonl');
const resultFile = join(runFolder, 'jest-result.json');

/**
 * The spec files of one run of jest (see jest.preset.js).
 * - `all`: all specs
 * - `no-servers`: the specs of projects without servers
 * - `lab`: the specs that need the Kubernetes lab
 * - `servers`: the other specs of projects with servers
 */
export type Stage = 'all' | 'no-servers' | 'servers' | 'lab';

/** How jest ended. */
export interface JestRun {
  /** jest's `--json` report; undefined if jest ended before it could write one. */
  readonly report: unknown;
  readonly code: number | null;
}

/** Runs jest once and returns its report. */
export async function runJest(stage: Stage, more: readonly string[]): Promise<JestRun> {
  mkdirSync(runFolder, { recursive: true });
  rmSync(resultFile, { force: true });
  const { code } = await runNode([
    'node_modules/jest/bin/jest.js', '--json', `--outputFile=${resultFile}`, '--passWithNoTests', ...more,
  ], { show: 'stream', environment: { PLATFORM_TEST_STAGE: stage, [timesVariable]: timesFile } });
  return { report: readReport(), code };
}

function readReport(): unknown {
  try {
    return JSON.parse(readFileSync(resultFile, 'utf8'));
  } catch {
    return undefined;
  }
}
