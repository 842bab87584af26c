import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { nodePath } from '@platform/lab';
import { repositoryRoot } from '@platform/testing';
import { helmProgram } from '../src/charts/helm.ts';

/** A shell of somebody who has the files of a release, and nothing of the repository. */
export interface Stranger extends AsyncDisposable {
  /**
   * Runs commands, as if somebody pasted them; returns their output. Variables and functions stay defined.
   * @throws Error with the end of the output if a command fails, or if they do not end in time
   */
  run(commands: string, within: number): Promise<string>;
}

export interface StrangerOptions {
  /** Folder of the programs, the home and the scripts. */
  readonly folder: string;
  /** The folder in which the shell starts. */
  readonly start: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** An empty folder hides the repository from the shell, in a mount namespace of its own. */
const script = 'mount -t tmpfs tmpfs "$1" && cd "$2" && exec bash -euo pipefail';

/** Opens the shell. It has helm and Node with npm, in addition to the programs of the machine. */
export async function openStranger({ folder, start, environment }: StrangerOptions): Promise<Stranger> {
  const [programs, home, scripts] = ['programs', 'home', 'scripts'].map((name) => join(folder, name));
  for (const path of [programs!, home!, scripts!]) await mkdir(path, { recursive: true });
  await symlink(await helmProgram(), join(programs!, 'helm'));
  await copyFile(process.execPath, join(programs!, 'node'));
  const prefix = join(home!, 'npm');
  const shell = spawn('unshare', ['--mount', '--', 'bash', '-c', script, 'bash', repositoryRoot, start], {
    cwd: folder,
    // Use a separate process group, so that all processes of the shell can be killed together.
    detached: true,
    env: {
      PATH: [programs, join(prefix, 'bin'), nodePath].join(delimiter), HOME: home,
      npm_config_prefix: prefix, npm_config_offline: 'true', ...environment,
    },
  });
  const exited = new Promise<void>((resolve) => shell.once('exit', () => resolve()));
  // Programs in the background may hold the output open.
  const closed = new Promise<void>((resolve) => shell.once('close', () => resolve()));
  let output = '';
  const arrived = new Set<() => void>();
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const look of arrived) look();
    });
  }
  const end = async (): Promise<void> => {
    try {
      process.kill(-shell.pid!, 'SIGKILL');
    } catch {
      // The process group has already ended.
    }
    await closed;
  };
  shell.stdin.on('error', () => undefined);
  let step = 0;
  return {
    run: async (commands, within) => {
      const mark = `done-${randomUUID()}`;
      const file = join(scripts!, `${step += 1}.sh`);
      await writeFile(file, commands);
      output = '';
      const { promise: done, resolve } = Promise.withResolvers<boolean>();
      const look = (): void => {
        if (output.includes(mark)) resolve(true);
      };
      arrived.add(look);
      const timer = setTimeout(() => resolve(false), within);
      try {
        // The shell reads its commands from standard input. So the commands in the file must not read standard input.
        shell.stdin.write(`exec 2>&1; . ${file} < /dev/null; echo ${mark}\n`);
        if (await Promise.race([done, exited.then(() => false)])) return output.slice(0, output.indexOf(mark));
      } finally {
        clearTimeout(timer);
        arrived.delete(look);
      }
      await end();
      throw new Error(`the commands do not end with success in ${within} ms:\n${commands}\n${output.slice(-3_000)}`);
    },
    [Symbol.asyncDispose]: end,
  };
}
