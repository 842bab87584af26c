import { readFile, rm, writeFile } from 'node:fs/promises';
import { type ForeignProcess, processIdentity, stopProcess } from './process-identity.ts';

/** Records a running process, so that the next start can stop it if its launcher was killed. */
export async function writePidFile(
  file: string, pid: number, stopSignal: NodeJS.Signals, graceMilliseconds: number,
): Promise<void> {
  const identity = processIdentity(pid);
  if (identity === undefined) return;
  const record: ForeignProcess = { pid, identity, stopSignal, graceMilliseconds };
  await writeFile(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

/** Stops the process that a pid file names, if that process still runs. Removes the file. */
export async function stopLeftover(file: string): Promise<void> {
  // Undefined if the file is absent or incomplete.
  const record = await readFile(file, 'utf8').then(JSON.parse).catch(() => undefined) as ForeignProcess | undefined;
  if (record !== undefined) await stopProcess(record);
  await rm(file, { force: true });
}
