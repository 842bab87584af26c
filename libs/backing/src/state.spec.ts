import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { access, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { programPlan } from './fixtures/plan.ts';
import { scratchFolder } from './fixtures/scratch.ts';
import { launch } from './launch.ts';
import { natsAuthority } from './nats-authority.ts';
import { planPostgres } from './postgres.ts';
import { postgresPlace } from './postgres-data.ts';
import { openState, removeState } from './state.ts';

const run = promisify(execFile);

describe('the state folder', () => {
  it('keeps a secret once made, for its owner only', async () => {
    await using scratch = await scratchFolder();
    const state = await openState(join(scratch.path, 'state'));

    const made = await Promise.all(Array.from({ length: 20 }, () => state.secret('key')));

    expect(new Set(made).size).toBe(1);
    expect(made[0]).toMatch(/^[0-9a-f]{64}$/);
    const again = await openState(state.home);
    await expect(again.secret('key', { make: () => 'another' })).resolves.toBe(made[0]);
    expect((await stat(join(state.secrets, 'key'))).mode & 0o777).toBe(0o600);
    expect((await stat(state.secrets)).mode & 0o777).toBe(0o700);
    await expect(readdir(state.secrets)).resolves.toEqual(['key']);
  });

  it('names a secret that was emptied, and never makes another by itself', async () => {
    await using scratch = await scratchFolder();
    const state = await openState(join(scratch.path, 'state'));
    for (const name of ['key', 'password', 'nats-authority', 'postgres-superuser-password']) {
      await writeFile(state.secretFile(name), name === 'key' ? '\n' : '');
    }

    const fault = (name: string) => ({
      reason: 'STATE_UNUSABLE', message: `The secret ${state.secretFile(name)} is empty.`,
    });
    const restore = expect.stringMatching(/^Restore the file from a copy .* Without a copy, .*--reset/);
    await expect(state.secret('key')).rejects.toMatchObject({ ...fault('key'), cure: restore });
    await expect(state.secret('password', { renewable: true })).rejects.toMatchObject({
      ...fault('password'), cure: 'Remove this file: the next start creates a new secret.',
    });
    await expect(natsAuthority(state)).rejects.toMatchObject(fault('nats-authority'));
    const source = { kind: 'binary', file: '/nowhere/postgres', version: '18', origin: 'named' } as const;
    await expect(planPostgres({ source, state })).rejects.toMatchObject(fault('postgres-superuser-password'));
    await expect(readFile(state.secretFile('password'), 'utf8')).resolves.toBe('');
  });

  it.each(['{"operatorSeed":"SOHIDDEN', '{"operatorSeed":"SOHIDDEN"}', 'null', 'SOHIDDEN'])(
    'names invalid keys of NATS, and shows nothing of them: %s', async (text) => {
      await using scratch = await scratchFolder();
      const state = await openState(join(scratch.path, 'state'));
      await writeFile(state.secretFile('nats-authority'), text);

      const fault: unknown = await natsAuthority(state).catch((error: unknown) => error);

      const message = `The secret ${state.secretFile('nats-authority')} has no NATS keys.`;
      expect(fault).toMatchObject({ reason: 'STATE_UNUSABLE', message });
      expect(inspect(fault, { showHidden: true })).not.toContain('HIDDEN');
    },
  );

  it('keeps its keys of NATS', async () => {
    await using scratch = await scratchFolder();
    const state = await openState(join(scratch.path, 'state'));
    await expect(natsAuthority(state)).resolves.toEqual(await natsAuthority(state));
  });

  it('names a secret that cannot be read', async () => {
    await using scratch = await scratchFolder();
    const state = await openState(join(scratch.path, 'state'));
    await mkdir(state.secretFile('key'));
    const message = expect.stringContaining(`The secret ${state.secretFile('key')} cannot be read: EISDIR`);
    await expect(state.secret('key')).rejects.toMatchObject({ reason: 'STATE_UNUSABLE', message });
  });

  it('makes no other data where the note of its place was emptied', async () => {
    await using scratch = await scratchFolder();
    const state = await openState(join(scratch.path, 'state'));
    const file = join(state.postgres, 'location');
    await writeFile(file, '');

    await expect(postgresPlace(state)).rejects.toMatchObject({
      reason: 'STATE_UNUSABLE',
      message: `${file} is empty, but must contain the path of the folder with PostgreSQL's data.`,
      cure: expect.stringContaining(`contains ${state.home}.`),
    });
    await expect(removeState(state.home)).resolves.toBeUndefined();
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

  it('is made with the folders above it, for its owner only', async () => {
    await using scratch = await scratchFolder();
    const { home, secrets } = await openState(join(scratch.path, 'some/where/state'));
    expect((await stat(home)).mode & 0o077).toBe(process.getuid?.() === 0 ? 0o011 : 0);
    expect((await stat(secrets)).mode & 0o777).toBe(0o700);
  });

  // In a separate process that can be killed, because Node's own recursive mkdir never returns for these paths.
  it.each(['/proc/nowhere', '/proc/no/where'])('is refused where nobody may make a folder: %s', async (home) => {
    const program = `
      const { openState } = await import(${JSON.stringify(join(import.meta.dirname, 'state.ts'))});
      await openState(${JSON.stringify(home)}).catch(({ reason, message }) => console.log(reason, message));
    `;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
      timeout: 30_000, killSignal: 'SIGKILL', env: {},
    });
    expect(stdout).toContain(`STATE_UNUSABLE The state folder ${home} cannot be used: `);
  });
});
