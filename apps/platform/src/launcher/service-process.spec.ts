import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createReaper, freePorts } from '@platform/backing';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../testdata/temporary-folder.ts';
import { servicePart } from './service-process.ts';

describe('servicePart', () => {
  it('distinguishes a port that somebody else took from another failure', async () => {
    await using home = await temporaryFolder();
    await using reaper = createReaper();
    const [api, admin] = await freePorts(2);
    const environment: Record<string, string> = { PORT: String(api) };
    const part = servicePart({
      name: 'program',
      main: join(import.meta.dirname, '../testdata/program.ts'),
      environment: () => environment,
      workingDirectory: home.path,
      logFile: join(home.path, 'program.log'),
      readyMs: 20_000,
      graceMs: 300,
    }, { api: api!, admin: admin! }, 0, reaper);
    const other = createServer().listen(api, '127.0.0.1');
    await once(other, 'listening');
    try {
      await expect(part.start(new AbortController().signal)).rejects.toMatchObject({ reason: 'PORT_TAKEN' });
    } finally {
      other.close();
      await once(other, 'close');
    }

    environment['BEHAVIOUR'] = 'fail';
    await expect(part.start(new AbortController().signal)).rejects.toMatchObject({ reason: 'START_FAILED' });
  });
});
