import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../testdata/temporary-folder.ts';
import { checkSecrets } from './state.ts';

describe('checkSecrets', () => {
  it('names what others may read, and what is empty', async () => {
    await using home = await temporaryFolder();
    const folder = join(home.path, 'secrets');
    await mkdir(folder);
    for (const name of ['kept', 'open', 'emptied']) {
      await writeFile(join(folder, name), name === 'emptied' ? '' : 'value', { mode: 0o600 });
    }
    expect(await checkSecrets(home.path)).toMatchObject([{ ok: false, found: 'empty: emptied' }]);

    await chmod(join(folder, 'open'), 0o644);
    await writeFile(join(folder, 'emptied'), 'value');
    expect(await checkSecrets(home.path)).toMatchObject([{ ok: false, found: 'open to others: open' }]);

    await chmod(join(folder, 'open'), 0o600);
    expect(await checkSecrets(home.path)).toMatchObject([{ ok: true, found: '3 files, no secret is open to others' }]);
  });
});
