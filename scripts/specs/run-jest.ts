import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { timesVariable } from '@platform/testing';

import { root, runNode } from '../checks/run-command.ts';

/** Where a run leaves its figures; a folder that git does not know. */
export const runFolder = join(root, 'node_modules/.cache/platform');
/** What the harness notes of a run (`timed` of libs/testing). */
export const timesFile = join(runFolder, 'times.jsonl');
const resultFile = join(runFolder, 'jest-result.json');

/**
 * The files of one run of jest, which jest.preset.js chooses: all; those of projects without servers; those with
 * servers but without the Kubernetes lab; those with the lab.
 */
export type Stage = 'all' | 'no-servers' | 'servers' | 'lab';

/** How jest ended. */
export interface JestRun {
  /** jest's `--json` report; undefined when jest ended before it could write one. */
  readonly report: unknown;
  readonly code: number | null;
}

/** Runs jest once and answers its report. */
export async function runJest(stage: Stage, more: readonly string[]): Promise<JestRun> {
  mkdirSync(runFolder, { recursive: true });
  rmSync(resultFile, { force: true });
  const { code } = await runNode([
    // jest runs ES modules in contexts of their own, which Node still calls experimental.
    ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    ...['node_modules/jest/bin/jest.js', '--json', `--outputFile=${resultFile}`, '--passWithNoTests'],
    ...more,
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
