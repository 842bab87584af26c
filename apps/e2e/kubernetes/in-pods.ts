import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type LabNode, nodePath } from '@platform/lab';

const run = promisify(execFile);
const runMs = 120_000;

/** Runs a script of this folder in the network of each pod on the node; returns what each of them prints, as JSON. */
export async function inEachPod<Printed>(
  { pid }: LabNode, script: string, ...args: readonly string[]
): Promise<readonly Printed[]> {
  const inside = ['--target', String(pid), '--mount', '--'];
  const options = { env: { PATH: nodePath }, timeout: runMs };
  const { stdout } = await run('nsenter', [...inside, 'ls', '/run/netns'], options);
  const printed: Printed[] = [];
  for (const space of stdout.trim().split('\n')) {
    const program = [process.execPath, join(import.meta.dirname, script), ...args];
    const result = await run('nsenter', [...inside, 'nsenter', `--net=/run/netns/${space}`, ...program], options);
    printed.push(JSON.parse(result.stdout) as Printed);
  }
  return printed;
}
