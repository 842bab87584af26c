import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { takesConnections } from './sockets.ts';
import { until } from './until.ts';

const starter = join(import.meta.dirname, 'fixtures/keeper-starter.ts');

function connects(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return takesConnections(Number(port), hostname);
}

describe('the keeper of a run', () => {
  it.each(['SIGKILL', 'SIGINT'] as const)('leaves nothing behind when the run ends by %s', async (signal) => {
    // Given a run whose servers answer
    const run = spawn(process.execPath, [starter], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: run.stdout });
    const [line] = (await once(lines, 'line')) as [string];
    const { servers, socket } = JSON.parse(line) as { servers: string[]; socket: string };
    await expect(Promise.all(servers.map(connects))).resolves.toEqual([true, true]);

    // When it ends without notice
    run.kill(signal);
    await once(run, 'exit');

    // Then its servers and its folder are removed
    const gone = async (): Promise<boolean> => !(await Promise.all(servers.map(connects))).includes(true);
    await until(gone, { within: 15_000, what: 'the servers are stopped' });
    await until(() => !existsSync(dirname(socket)), { within: 15_000, what: 'the keeper has ended' });
  });
});
