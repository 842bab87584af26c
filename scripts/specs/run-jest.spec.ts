import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

import { root } from '../checks/run-command.ts';
import type { Stage } from './run-jest.ts';

const run = promisify(execFile);

async function filesOf(stage: Stage): Promise<string[]> {
  const { stdout } = await run(process.execPath, ['node_modules/jest/bin/jest.js', '--listTests'], {
    cwd: root, env: { ...process.env, PLATFORM_TEST_STAGE: stage },
  });
  return stdout.split('\n').filter((line) => line !== '').sort();
}

it('the stages run each spec file once', async () => {
  const [all, ...stages] = await Promise.all((['all', 'no-servers', 'servers', 'lab'] as const).map(filesOf));
  expect(stages.every((files) => files.length > 0)).toBe(true);
  expect(stages.flat().sort()).toEqual(all);
}, 120_000);
