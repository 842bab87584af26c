import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@platform/testing';

const run = promisify(execFile);
const longestMs = 10 * 60_000;

/** Copies a folder of apps/e2e/clients. */
export async function copyOf(name: string, folder: string): Promise<void> {
  await cp(join(repositoryRoot, 'apps/e2e/clients', name), folder, { recursive: true });
}

/** Runs a program of a generator or compiler. @throws Error with its output */
export async function step(folder: string, command: string, ...args: readonly string[]): Promise<string> {
  const PATH = [join(command, '..'), process.env['PATH'] ?? ''].join(delimiter);
  try {
    const options = { cwd: folder, env: { ...process.env, PATH }, timeout: longestMs, maxBuffer: 64 * 1024 * 1024 };
    return (await run(command, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const said = `${stdout}\n${stderr}`.trim().slice(-4_000);
    throw new Error(`${command} ${args[0]}: ${said}`, { cause: error });
  }
}
