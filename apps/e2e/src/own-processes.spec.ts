import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { repositoryRoot } from '@platform/testing';

const reasons = /(?:because|ownProcess): '([^']+)'/g;
const golden = join(repositoryRoot, 'apps/e2e/golden/own-processes.txt');

/** `file: reason` for every place that starts services in separate processes. */
function ownProcesses(): string[] {
  return ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('node_modules') && !file.endsWith('.d.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(repositoryRoot, folder, file), 'utf8');
        return [...text.matchAll(reasons)].map(([, why]) => `${folder}/${file}: ${why}`);
      })).sort();
}

it('services have processes of their own where a spec says why, and nowhere else', () => {
  expect(ownProcesses()).toEqual(readFileSync(golden, 'utf8').trim().split('\n'));
});
