import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openStateFolder } from './state-folder.ts';
import { temporaryFolder } from './testdata/temporary-folder.ts';

describe('openStateFolder', () => {
  it('keeps what there is', async () => {
    await using home = await temporaryFolder();
    const first = await openStateFolder(home.path, { reset: false });
    const secret = await first.secret('token-key');

    const second = await openStateFolder(home.path, { reset: false });

    expect(await second.secret('token-key')).toBe(secret);
  });

  it('starts empty after a reset, except the settings file and the claim on the folder', async () => {
    await using home = await temporaryFolder();
    const first = await openStateFolder(home.path, { reset: false });
    const secret = await first.secret('token-key');
    await writeFile(join(home.path, 'platform.yaml'), 'run.mode: test\n');
    await mkdir(join(home.path, 'launchers'));
    await writeFile(join(home.path, 'launchers/1.x'), '');

    const second = await openStateFolder(home.path, { reset: true });

    expect(await second.secret('token-key')).not.toBe(secret);
    expect(await readFile(join(home.path, 'platform.yaml'), 'utf8')).toBe('run.mode: test\n');
    expect(await readdir(join(home.path, 'launchers'))).toEqual(['1.x']);
    expect(existsSync(join(home.path, 'removing'))).toBe(false);
  });

  it('completes a reset that was interrupted', async () => {
    await using home = await temporaryFolder();
    const first = await openStateFolder(home.path, { reset: false });
    const secret = await first.secret('token-key');
    await mkdir(join(home.path, 'removing'));
    await rename(first.postgres, join(home.path, 'removing/postgres'));

    const second = await openStateFolder(home.path, { reset: false });

    expect(await second.secret('token-key')).not.toBe(secret);
    expect(existsSync(join(home.path, 'removing'))).toBe(false);
  });
});
