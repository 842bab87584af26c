import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

import { checks } from './checks.ts';
import { root } from './run-command.ts';

interface Target {
  readonly cache?: boolean;
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
}

const { targets } = JSON.parse(readFileSync(join(root, 'scripts/project.json'), 'utf8')) as {
  targets: Record<string, Target>;
};

it.each(checks)('the check %s is a target whose result Nx keeps by its inputs, and which replaces no file', (name) => {
  expect(targets[name]).toMatchObject({ cache: true, inputs: expect.arrayContaining([expect.any(String)]) });
  expect(targets[name]?.outputs).toBeUndefined();
});
