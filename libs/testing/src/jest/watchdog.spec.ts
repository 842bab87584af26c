import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { repositoryRoot } from '../repository.ts';

const importing = "import { expect, it } from '@jest/globals';\n";
const specs = {
  'blocks.spec.mjs': `${importing}it('turns in a circle', () => { for (;;) expect(1).toBe(1); });`,
  'loads-for-ever.spec.mjs': `${importing}await new Promise(() => undefined);`,
  'passes.spec.mjs': `${importing}it('passes', () => expect(1).toBe(1));`,
};

it('a file that does not end is named and fails, and the others go on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platform-watchdog-'));
  const config = {
    rootDir: folder, testMatch: ['**/*.spec.mjs'], moduleFileExtensions: ['mjs', 'js'], injectGlobals: false, transform: {},
    testEnvironment: join(import.meta.dirname, 'environment.js'), runtime: join(import.meta.dirname, 'runtime.js'),
  };
  try {
    for (const [name, content] of Object.entries(specs)) await writeFile(join(folder, name), content);
    const jest = spawn(process.execPath, [
      join(repositoryRoot, 'node_modules/jest/bin/jest.js'), '--config', JSON.stringify(config), '--maxWorkers=2',
    ], { cwd: repositoryRoot, env: { ...process.env, PLATFORM_TEST_FILE_MS: '5000' }, stdio: ['ignore', 'pipe', 'pipe'] });
    const [output, printed] = await Promise.all([text(jest.stderr), text(jest.stdout)]);
    expect(output + printed).toContain('blocks.spec.mjs did not end within 5000 ms; its last step: turns in a circle');
    expect(output + printed).toContain('loads-for-ever.spec.mjs did not end within 5000 ms; its last step: loading');
    expect(output).toContain('Tests:       1 passed, 1 total');
    expect(output).toContain('Test Suites: 2 failed, 1 passed, 3 total');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
