import { describe, expect, it } from '@jest/globals';
import { access, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programPlan } from './fixtures/plan.ts';
import { scratchFolder } from './fixtures/scratch.ts';
import { launch } from './launch.ts';
import { openState, removeState } from './state.ts';

describe('the state folder', () => {
  it('keeps a secret once made, for its owner only', async () => {
    await using scratch = await scratchFolder();
    const state = await openState(join(scratch.path, 'state'));

    const made = await Promise.all(Array.from({ length: 20 }, () => state.secret('key')));

    expect(new Set(made).size).toBe(1);
    expect(made[0]).toMatch(/^[0-9a-f]{64}$/);
    const again = await openState(state.home);
    await expect(again.secret('key', () => 'another')).resolves.toBe(made[0]);
    expect((await stat(join(state.secrets, 'key'))).mode & 0o777).toBe(0o600);
    expect((await stat(state.secrets)).mode & 0o777).toBe(0o700);
    await expect(readdir(state.secrets)).resolves.toEqual(['key']);
  });

  it('goes as a whole, with what still runs on it', async () => {
    await using scratch = await scratchFolder();
    const state = await openState(join(scratch.path, 'state'));
    const plan = programPlan(scratch.path, 'setInterval(() => undefined, 1000)', { pidFile: state.pidFile('program') });
    const server = await launch(plan, { logFile: state.logFile('program') });

    await removeState(state.home);

    await expect(server.exited).resolves.toMatchObject({ signal: 'SIGTERM' });
    await expect(access(state.home)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(removeState(state.home)).resolves.toBeUndefined();
  });

  it('must be a folder', async () => {
    await using scratch = await scratchFolder();
    await mkdir(join(scratch.path, 'folder'));
    await writeFile(join(scratch.path, 'file'), '');
    await expect(openState(join(scratch.path, 'file'))).rejects.toMatchObject({ reason: 'STATE_UNUSABLE' });
    await expect(openState(join(scratch.path, 'folder'))).resolves.toBeDefined();
  });
});
