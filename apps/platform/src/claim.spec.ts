import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CommandFault } from './command-fault.ts';
import { temporaryFolder } from './testdata/temporary-folder.ts';
import { claimState, runningLauncher } from './claim.ts';

const children: ChildProcess[] = [];

afterEach(async () => {
  await Promise.all(children.splice(0).map(kill));
});

describe('claimState', () => {
  it('refuses a second launcher while the first holds the folder', async () => {
    await using home = await temporaryFolder();
    const holder = startClaimer(home.path);
    expect(await answerOf(holder)).toBe('claimed');

    await expect(claimState(home.path)).rejects.toThrow(CommandFault);
    expect(await runningLauncher(home.path)).toBe(holder.pid);
  });

  it('takes over from a launcher that was killed', async () => {
    await using home = await temporaryFolder();
    const holder = startClaimer(home.path);
    await answerOf(holder);
    await kill(holder);
    expect(await runningLauncher(home.path)).toBeUndefined();

    await using _claim = await claimState(home.path);

    expect(await runningLauncher(home.path)).toBe(process.pid);
  });

  it('does not take a later process with the same pid for the launcher', async () => {
    await using home = await temporaryFolder();
    await mkdir(join(home.path, 'launchers'), { recursive: true });
    await writeFile(join(home.path, 'launchers', `${process.ppid}.another-start`), '');

    await using _claim = await claimState(home.path);

    expect(await runningLauncher(home.path)).toBe(process.pid);
  });

  it('gives the folder back', async () => {
    await using home = await temporaryFolder();
    const claim = await claimState(home.path);
    await claim.release();
    expect(await runningLauncher(home.path)).toBeUndefined();
  });

  it('lets at most one of several launchers in that start at once, over and over', async () => {
    await using home = await temporaryFolder();
    for (let round = 0; round < 3; round += 1) {
      const claimers = Array.from({ length: 4 }, () => startClaimer(home.path));
      const answers = await Promise.all(claimers.map(answerOf));
      expect(answers.filter((answer) => answer === 'claimed').length).toBeLessThanOrEqual(1);
      await Promise.all(claimers.map(kill));
    }
  });
});

function startClaimer(home: string): ChildProcess {
  const child = fork(join(import.meta.dirname, 'testdata/claim-state.ts'), { env: { ...process.env, HOLD: home } });
  children.push(child);
  return child;
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const [answer] = (await once(child, 'message')) as [unknown];
  return answer;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
