import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { addDeployment } from '../deployment-program.ts';
import { packageCommands } from '../package-commands.ts';
import { createProgram } from '../program.ts';
import { manualPages, markdownPage } from './pages.ts';

const program = createProgram({}, [...packageCommands, addDeployment]);

it('docs/cli.md is made from the commands: `npm run generate -- --golden` renews it', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/cli.md'), 'utf8');
  expect(markdownPage(program)).toBe(page);
});

describe('manual pages', () => {
  const pages = manualPages(program, new Date('2026-11-05T23:00:00Z'));

  it('describe each command, and one lists them', () => {
    const overview = pages.get('platform.1')!;
    const listed = [...overview.matchAll(/^\.It Xr (\S+) 1$/gm)].map(([, name]) => `${name}.1`);
    expect([...pages.keys()].toSorted()).toEqual(['platform.1', ...listed].toSorted());
    expect(pages.get('platform-admin-cluster-import.1')).toContain('.It Fl -kubeconfig Ar file\nkubeconfig of the cluster');
    expect(overview).toContain('.Dd November 5, 2026');
  });

  const cases = spawnSync('mandoc', ['-Tlint', '/dev/null']).error ? it.skip : it;
  cases('are well-formed to mandoc', () => {
    const said = [...pages].flatMap(([file, text]) => {
      const { stdout } = spawnSync('mandoc', ['-Tlint', '-Wwarning'], { input: text, encoding: 'utf8' });
      return stdout.split('\n').filter((line) => line !== '').map((line) => `${file}: ${line}`);
    });
    expect(said).toEqual([]);
  });
});
