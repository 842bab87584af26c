import { spawnSync } from 'node:child_process';
import { root } from '../checks/run-command.ts';

/** The release cannot be created. The message contains the reason. */
export class ReleaseFault extends Error {
  override readonly name = 'ReleaseFault';
}

/** Time limit of one command, in milliseconds. Builds of images have a longer limit (`images.ts`). */
const longestMs = 600_000;

/** Runs a command and returns its standard output. @throws ReleaseFault if the command fails or takes too long */
export function command(
  program: string, words: readonly string[], { folder = root }: { readonly folder?: string } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd: folder, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, timeout: longestMs,
  });
  if (error !== undefined) throw new ReleaseFault(`${program} cannot be run: ${error.message}`);
  if (status === 0) return stdout;
  const end = `${stdout}${stderr}`.trim().split('\n').slice(-15).join('\n');
  throw new ReleaseFault(`${program} ${words[0] ?? ''} failed:\n${end}`);
}
