import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findBinaries } from './fixtures/binaries.ts';
import { programPlan } from './fixtures/plan.ts';
import { scratchFolder } from './fixtures/scratch.ts';
import { launch } from './launch.ts';
import { processIdentity } from './process-identity.ts';
import { createReaper } from './reaper.ts';
import { openState, removeState } from './state.ts';
import { tiedToCaller } from './tied-command.ts';
import { until } from './until.ts';

const binaries = await findBinaries();
const PARENT = fileURLToPath(new URL('./fixtures/parent.ts', import.meta.url));
const tied = await tiedToCaller({ command: process.execPath, args: [] }, 'SIGTERM');
const canTie = binaries !== undefined && tied.command !== process.execPath;
const FOREVER = 'setInterval(() => undefined, 1000)';

type Pids = Record<'postgres' | 'stubborn' | 'reaper', number>;

/** A launcher with a PostgreSQL and with a program that ignores its stop signal. */
async function startLauncher(home: string): Promise<{ launcher: ChildProcess; pids: Pids }> {
  const launcher = spawn(process.execPath, [PARENT, home, binaries!.postgres.file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {},
  });
  const [line] = (await once(createInterface({ input: launcher.stdout }), 'line')) as [string];
  return { launcher, pids: JSON.parse(line) as Pids };
}

/** Expects that PostgreSQL was shut down and not killed: only a shutdown removes this file. */
async function expectShutDown(home: string): Promise<void> {
  await expect(access(join(home, 'postgres', 'data', 'postmaster.pid'))).rejects.toMatchObject({ code: 'ENOENT' });
}

async function ended(pid: number): Promise<void> {
  const stillThere = async (): Promise<void> => {
    if (processIdentity(pid) !== undefined) throw new Error(`${pid} still runs`);
  };
  await until(stillThere, AbortSignal.timeout(15_000));
}

describe('the reaper', () => {
  let scratch: Awaited<ReturnType<typeof scratchFolder>>;

  beforeEach(async () => {
    scratch = await scratchFolder();
  });
  afterEach(async () => {
    await scratch[Symbol.asyncDispose]();
  });

  (binaries === undefined ? it.skip : it)('stops everything when its launcher is killed with -9', async () => {
    const home = join(scratch.path, 'state');
    const { launcher, pids } = await startLauncher(home);

    launcher.kill('SIGKILL');

    await Promise.all(Object.values(pids).map(ended));
    await expectShutDown(home);
    await removeState(home);
  }, 60_000);

  (canTie ? it : it.skip)('may be killed with its launcher: then the kernel asks the servers to stop', async () => {
    const home = join(scratch.path, 'state');
    const { launcher, pids } = await startLauncher(home);

    // Suspend the launcher first, so that it cannot replace the reaper in between.
    launcher.kill('SIGSTOP');
    process.kill(pids.reaper, 'SIGKILL');
    launcher.kill('SIGKILL');

    await Promise.all([ended(pids.reaper), ended(pids.postgres)]);
    await expectShutDown(home);
    process.kill(pids.stubborn, 'SIGKILL');
    await removeState(home);
  }, 60_000);

  it('leaves alone what was forgotten, and stops the rest when it is closed', async () => {
    const state = await openState(join(scratch.path, 'state'));
    const reaper = createReaper();
    const options = { logFile: state.logFile('program'), reaper };
    await using kept = await launch(programPlan(scratch.path, FOREVER), options);
    await using watched = await launch(programPlan(scratch.path, FOREVER), options);
    reaper.forget(kept.pid);

    await reaper.close();

    await expect(watched.exited).resolves.toMatchObject({ signal: 'SIGTERM' });
    expect(processIdentity(kept.pid)).toBeDefined();
    expect(processIdentity(reaper.pid)).toBeUndefined();
  });

  it('is replaced when it is killed, and the next one knows what to watch over', async () => {
    const state = await openState(join(scratch.path, 'state'));
    const reaper = createReaper();
    const first = reaper.pid;
    await using watched = await launch(programPlan(scratch.path, FOREVER), {
      logFile: state.logFile('program'),
      reaper,
    });

    process.kill(first, 'SIGKILL');
    await until(async () => {
      if (reaper.pid === first) throw new Error('not replaced yet');
    }, AbortSignal.timeout(10_000));
    await reaper.close();

    await expect(watched.exited).resolves.toMatchObject({ signal: 'SIGTERM' });
  });
});
