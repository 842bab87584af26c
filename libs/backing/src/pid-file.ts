import { readFile, rm, writeFile } from 'node:fs/promises';
import { type ForeignProcess, processIdentity, stopProcess } from './process-identity.ts';

/** Records a process, so that the next start finds it if its launcher was killed. */
export async function writePidFile(
  file: string, pid: number, stopSignal: NodeJS.Signals, graceMilliseconds: number,
): Promise<void> {
  const identity = processIdentity(pid);
  if (identity === undefined) return;
  const record: ForeignProcess = { pid, identity, stopSignal, graceMilliseconds };
  await writeFile(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

/** Stops the process a pid file names, if it still runs, and removes the file. */
export async function stopLeftover(file: string): Promise<void> {
  const record = await readPidFile(file);
  if (record !== undefined) await stopProcess(record);
  await rm(file, { force: true });
}

async function readPidFile(file: string): Promise<ForeignProcess | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as ForeignProcess;
  } catch {
    // The file is absent, or was cut off by a kill while it was written.
    return undefined;
  }
}
