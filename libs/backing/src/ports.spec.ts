import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const run = promisify(execFile);

it('closes the ports that it held when it fails', async () => {
  const program = `
    const { freePorts } = await import('${new URL('./ports.ts', import.meta.url)}');
    console.log(await freePorts(1_000).then(() => 'none', ({ code }) => code));`;
  // The limit of open files ends the search after a few ports.
  const command = 'ulimit -n 64; exec "$0" --input-type=module --eval "$1"';
  // The process ends by itself only if no port is held.
  const { stdout } = await run('/bin/sh', ['-c', command, process.execPath, program], { env: {}, timeout: 30_000 });
  expect(stdout).toBe('EMFILE\n');
});
