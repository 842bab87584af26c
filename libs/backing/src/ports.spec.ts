import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const run = promisify(execFile);
const program = fileURLToPath(new URL('./fixtures/too-many-ports.ts', import.meta.url));

it('closes the ports that it held when it fails', async () => {
  // The limit of open files ends the search after a few ports.
  const command = 'ulimit -n 64; exec "$0" "$1"';
  // The process ends by itself only if no port is held.
  const options = { env: {}, timeout: 30_000 };
  const { stdout } = await run('/bin/sh', ['-c', command, process.execPath, program], options);
  expect(stdout).toBe('EMFILE\n');
});
