import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

import { root } from './run-command.ts';

interface Door {
  readonly packages: readonly string[];
  readonly homes: readonly string[];
}

const doors = JSON.parse(execFileSync(process.execPath, [
  '--input-type=module', '-e', "console.log(JSON.stringify((await import('./eslint.boundaries.js')).doors))",
], { cwd: root, encoding: 'utf8' })) as Door[];

const workspaces = globSync('{libs,apps}/*/package.json', { cwd: root }).map(dirname).sort();

function read(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(root, ...path), 'utf8'));
}

describe.each(workspaces)('the workspace %s', (workspace) => {
  const type = workspace.startsWith('apps/') ? 'app' : 'lib';

  it('says in project.json what it is, so that boundaries, Nx and jest know it', () => {
    expect(existsSync(join(root, workspace, 'project.json'))).toBe(true);
    expect(read(workspace, 'project.json')).toMatchObject({
      name: basename(workspace),
      tags: [`type:${type}`, `scope:${basename(workspace)}`],
      targets: { test: {}, lint: {}, typecheck: {} },
    });
  });

  it('brings no package from outside without a door of its own', () => {
    const { dependencies = {} } = read(workspace, 'package.json') as { dependencies?: Record<string, string> };
    const isOpen = (name: string) => doors.some(({ packages, homes }) =>
      homes.includes(basename(workspace))
        && packages.some((one) => one === name || (one.endsWith('/*') && name.startsWith(one.slice(0, -1)))));
    const outside = Object.keys(dependencies).filter((name) => !name.startsWith('@platform/'));
    expect(outside.filter((name) => !isOpen(name))).toEqual([]);
  });

  it('is a private ES module under the licence of the whole', () => {
    expect(read(workspace, 'package.json')).toMatchObject({ private: true, type: 'module', license: 'Apache-2.0' });
  });

  it('has no two migrations of one time: no database could be brought up to date', () => {
    const times = globSync(join(workspace, 'migrations/*.sql'), { cwd: root }).map((file) => basename(file).slice(0, 14));
    expect(times).toHaveLength(new Set(times).size);
  });
});
