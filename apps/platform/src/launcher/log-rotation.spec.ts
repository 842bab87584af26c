import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../testdata/temporary-folder.ts';
import { rotateLogs } from './log-rotation.ts';

describe('rotateLogs', () => {
  it('puts a grown log aside while it is being written to, and leaves the others', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'orgs-teams.log');
    await writeFile(join(folder.path, 'nats.log'), 'short');
    await using writer = await open(file, 'a');
    await writer.write('x'.repeat(101));

    expect(await rotateLogs(folder.path, 100)).toEqual(['orgs-teams.log']);
    await writer.write('after');

    expect(await readFile(`${file}.1`, 'utf8')).toBe('x'.repeat(101));
    expect(await readFile(file, 'utf8')).toBe('after');
    expect(await readFile(join(folder.path, 'nats.log'), 'utf8')).toBe('short');
  });
});
